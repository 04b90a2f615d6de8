#include "cli/bench/result.h"

#include <cctype>

#include "cli/bench/statistics.h"

namespace minfer::cli {

std::string backend_title(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::vector<double> BenchResult::rates() const {
  std::vector<double> rates;
  for (const std::int64_t ns : samples_ns)
    rates.push_back(1e9 * (test.n_prompt + test.n_gen) / static_cast<double>(ns));
  return rates;
}

bool BenchResult::noisy() const { return spread(rates()) > kNoisySpread; }

double BenchResult::bytes_per_generated_token() const {
  // The first generated token sees itself and what is before it, the last one n_gen - 1 positions more.
  const double positions = test.n_depth + test.n_prompt + (test.n_gen + 1) / 2.0;
  return static_cast<double>(model.decode_bytes) + positions * static_cast<double>(kv_bytes_per_position);
}

std::optional<CeilingShare> BenchResult::share() const {
  if (!ceilings || (test.n_prompt > 0 && test.n_gen > 0)) return std::nullopt;
  const double rate = median(rates());
  if (test.n_gen > 0)
    return CeilingShare{rate * bytes_per_generated_token(), ceilings->read_bytes_per_s, "GB/s"};
  if (ceilings->int8_ops_per_s == 0) return std::nullopt;  // not probed on a GPU
  return CeilingShare{rate * 2 * static_cast<double>(model.layer_macs), ceilings->int8_ops_per_s, "Gop/s"};
}

}  // namespace minfer::cli
