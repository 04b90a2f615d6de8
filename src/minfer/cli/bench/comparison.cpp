#include "cli/bench/comparison.h"

#include <algorithm>
#include <cmath>

#include "cli/bench/statistics.h"

namespace minfer::cli {
namespace {

Verdict verdict_of(const Comparison& c, const std::vector<double>& earlier,
                   const std::vector<double>& later) {
  if (std::min(earlier.size(), later.size()) < kRunsForVerdict) return Verdict::kNoisy;
  const bool differs = std::abs(c.ratio - 1) > kSameRatio;
  if (differs && c.lowest > 1) return Verdict::kFaster;
  if (differs && c.highest < 1) return Verdict::kSlower;
  return std::max(spread(earlier), spread(later)) > kNoisySpread ? Verdict::kNoisy : Verdict::kSame;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster:
      return "faster";
    case Verdict::kSlower:
      return "slower";
    case Verdict::kSame:
      return "same";
    case Verdict::kNoisy:
      break;
  }
  return "noisy";
}

Comparison compare_rates(const std::vector<double>& earlier, const std::vector<double>& later) {
  const auto [old_low, old_high] = std::minmax_element(earlier.begin(), earlier.end());
  const auto [new_low, new_high] = std::minmax_element(later.begin(), later.end());
  Comparison comparison{median(later) / median(earlier), *new_low / *old_high, *new_high / *old_low};
  comparison.verdict = verdict_of(comparison, earlier, later);
  return comparison;
}

}  // namespace minfer::cli
