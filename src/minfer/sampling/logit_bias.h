#pragma once

#include <utility>
#include <vector>

#include "sampling/candidates.h"

namespace minfer {

// Adds a constant to the logits of some tokens.
class LogitBiasStep final : public SamplerStep {
 public:
  explicit LogitBiasStep(std::vector<std::pair<TokenId, float>> biases) : biases_(std::move(biases)) {}
  void apply(Candidates& candidates, std::span<const TokenId> history) const override;
  std::string description() const override;

 private:
  std::vector<std::pair<TokenId, float>> biases_;
};

}  // namespace minfer
