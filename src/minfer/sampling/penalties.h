#pragma once

#include "sampling/candidates.h"

namespace minfer {

// Makes tokens of the recent history less likely. For a token seen n > 0 times in the last `last_n` tokens:
// its logit is divided by `repeat` if positive and multiplied by it if negative (arXiv 1909.05858), then lowered by
// n * frequency + presence (OpenAI's penalties).
struct PenaltyParams {
  int last_n = 64;  // -1: the whole history
  float repeat = 1;
  float frequency = 0;
  float presence = 0;
};

class PenaltyStep final : public SamplerStep {
 public:
  explicit PenaltyStep(const PenaltyParams& params) : params_(params) {}
  void apply(Candidates& candidates, std::span<const TokenId> history) const override;
  std::string description() const override;

 private:
  PenaltyParams params_;
};

}  // namespace minfer
