#include "sampling/candidates.h"

#include <algorithm>
#include <cmath>

namespace minfer {
namespace {

bool comes_before(const Candidate& a, const Candidate& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
}

}  // namespace

void Candidates::assign(std::span<const float> logits) {
  items_.resize(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) items_[i] = {static_cast<TokenId>(i), logits[i], 0};
  sorted_ = false;
}

void Candidates::assign_highest(std::span<const float> logits, std::size_t n) {
  n = std::min(n, logits.size());
  assign(logits.first(n));
  std::make_heap(items_.begin(), items_.end(), comes_before);  // the last in order is in front
  for (std::size_t i = n; n > 0 && i < logits.size(); ++i) {
    if (!(logits[i] > items_.front().logit)) continue;  // among equals the lower id, which came before, stays
    std::pop_heap(items_.begin(), items_.end(), comes_before);
    items_.back() = {static_cast<TokenId>(i), logits[i], 0};
    std::push_heap(items_.begin(), items_.end(), comes_before);
  }
}

void Candidates::keep_highest(std::size_t n) {
  if (sorted_ || n >= items_.size()) {
    if (n < items_.size()) items_.resize(n);
    return;
  }
  std::partial_sort(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(n), items_.end(),
                    comes_before);
  items_.resize(n);
  sorted_ = true;
}

double Candidates::weigh() {
  if (!sorted_) std::sort(items_.begin(), items_.end(), comes_before);
  sorted_ = true;
  double sum = 0;
  for (Candidate& candidate : items_) {
    candidate.weight = portable_exp(double{candidate.logit} - double{items_.front().logit});
    sum += candidate.weight;
  }
  return sum;
}

TokenId Candidates::highest() const {
  return std::min_element(items_.begin(), items_.end(), comes_before)->id;
}

double portable_exp(double x) {
  if (!(x > -700.0)) return 0.0;
  constexpr double kLog2E = 1.4426950408889634;
  constexpr double kLn2High =
      6.93147180369123816490e-01;  // the upper 33 bits of ln 2, so that n * it is exact
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  const double n = std::floor(x * kLog2E + 0.5);
  const double r = (x - n * kLn2High) - n * kLn2Low;  // |r| <= ln 2 / 2
  double term = 1.0;
  double sum = 1.0;
  for (int i = 1; i <= 14; ++i) {  // r^14 / 14! < 1e-17
    term *= r / i;
    sum += term;
  }
  return std::ldexp(sum, static_cast<int>(n));
}

}  // namespace minfer
