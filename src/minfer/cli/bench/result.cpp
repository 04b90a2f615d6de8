#include "cli/bench/result.h"

#include <algorithm>
#include <cmath>

namespace minfer::cli {
namespace {

constexpr double kNoisyDeviation = 0.05;  // of the mean

}  // namespace

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double sample_deviation(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double average = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - average) * (value - average);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<double> BenchResult::rates() const {
  std::vector<double> rates;
  for (const std::int64_t ns : samples_ns)
    rates.push_back(1e9 * (test.n_prompt + test.n_gen) / static_cast<double>(ns));
  return rates;
}

bool BenchResult::noisy() const { return sample_deviation(rates()) > kNoisyDeviation * mean(rates()); }

std::optional<CeilingShare> BenchResult::share() const {
  if (!ceilings || (test.n_prompt > 0 && test.n_gen > 0)) return std::nullopt;
  const double rate = mean(rates());
  if (test.n_gen > 0)
    return CeilingShare{rate * static_cast<double>(model.decode_bytes), ceilings->read_bytes_per_s, "GB/s"};
  return CeilingShare{rate * 2 * static_cast<double>(model.layer_macs), ceilings->int8_ops_per_s, "Gop/s"};
}

}  // namespace minfer::cli
