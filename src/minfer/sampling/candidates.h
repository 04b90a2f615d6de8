// What a chain of samplers works on: the tokens still in the running, and what was said before.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "minfer/model.h"

namespace minfer {

struct Candidate {
  TokenId id = 0;
  float logit = 0;
  double weight = 0;  // exp(logit - highest logit) where weigh() was called after the last change
};

class Candidates {
 public:
  void assign(std::span<const float> logits);
  // The n highest of them only; ids decide between equals. One pass, where n is much smaller than their number.
  void assign_highest(std::span<const float> logits, std::size_t n);

  std::vector<Candidate>& items() { return items_; }
  const std::vector<Candidate>& items() const { return items_; }
  Candidate& of(TokenId id) {
    return items_[static_cast<std::size_t>(id)];
  }  // REQUIRES: nothing removed so far

  // Keeps the n highest logits, in descending order; ids decide between equals.
  void keep_highest(std::size_t n);
  // Orders by descending logit, then ascending id, and computes the weights. Returns their sum.
  double weigh();
  TokenId highest() const;  // the lowest id among equals

 private:
  std::vector<Candidate> items_;
  bool sorted_ = false;
};

// One step of the chain.
class SamplerStep {
 public:
  virtual ~SamplerStep() = default;
  virtual void apply(Candidates& candidates, std::span<const TokenId> history) const = 0;
  virtual std::string description() const = 0;  // "top_k 40"
  // How many of the highest logits the step looks at and keeps at most; 0: it looks at all.
  virtual std::size_t n_highest() const { return 0; }
};

// exp(x) for x <= 0 in double precision, the same bits on every machine (libm's differ between versions).
double portable_exp(double x);

}  // namespace minfer
