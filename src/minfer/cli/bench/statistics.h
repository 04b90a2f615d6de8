// What the samples of a test are summed up by.
#pragma once

#include <vector>

namespace minfer::cli {

double mean(const std::vector<double>& values);              // of at least one
double sample_deviation(const std::vector<double>& values);  // 0 of a single one
double median(std::vector<double> values);                   // of at least one
// (largest - smallest) / median: what a single run may be off by. 0 of a single one.
double spread(const std::vector<double>& values);
// Above this spread something else was running, or the machine changed its speed.
inline constexpr double kNoisySpread = 0.05;

}  // namespace minfer::cli
