// Samplers that drop unlikely tokens. Each keeps at least one.
#pragma once

#include "sampling/candidates.h"

namespace minfer {

// The k highest logits.
class TopKStep final : public SamplerStep {
 public:
  explicit TopKStep(int k) : k_(k) {}
  void apply(Candidates& candidates, std::span<const TokenId> history) const override;
  std::string description() const override;
  std::size_t n_highest() const override { return static_cast<std::size_t>(k_); }

 private:
  int k_;
};

// The fewest most likely tokens whose probabilities sum to at least p (arXiv 1904.09751).
class TopPStep final : public SamplerStep {
 public:
  explicit TopPStep(float p) : p_(p) {}
  void apply(Candidates& candidates, std::span<const TokenId> history) const override;
  std::string description() const override;

 private:
  float p_;
};

// Tokens at least p times as likely as the likeliest (arXiv 2407.01082).
class MinPStep final : public SamplerStep {
 public:
  explicit MinPStep(float p) : p_(p) {}
  void apply(Candidates& candidates, std::span<const TokenId> history) const override;
  std::string description() const override;

 private:
  float p_;
};

}  // namespace minfer
