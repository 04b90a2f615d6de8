// Two measurements of one test, an earlier and a later one.
#pragma once

#include <string_view>
#include <vector>

namespace minfer::cli {

enum class Verdict { kFaster, kSlower, kSame, kNoisy };
std::string_view verdict_name(Verdict verdict);  // "faster"

struct Comparison {
  double ratio = 1;    // of the medians, later / earlier
  double lowest = 1;   // the later's slowest run / the earlier's fastest
  double highest = 1;  // the later's fastest run / the earlier's slowest
  Verdict verdict = Verdict::kNoisy;
};

// A difference below this is none, however still the machine was.
inline constexpr double kSameRatio = 0.01;
// With fewer runs a side nothing is said: the ranges of two and two runs are apart by chance one time in three.
inline constexpr std::size_t kRunsForVerdict = 3;

// Of rates, larger is better; at least one a side. Faster or slower: every later run is on one side of every earlier
// one, and the medians differ by more than kSameRatio. Else the same, or noisy where a side's spread is above
// kNoisySpread or there are fewer than kRunsForVerdict runs.
Comparison compare_rates(const std::vector<double>& earlier, const std::vector<double>& later);

}  // namespace minfer::cli
