#include "ops/rope_angles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.h"

namespace minfer {
namespace {

// The pairs between which YaRN blends, as (possibly fractional) indices.
struct Ramp {
  double low = 0;
  double high = 0;
  // The share of the unscaled frequency that pair i keeps.
  double keep(std::int64_t i) const {
    return 1 - std::clamp((static_cast<double>(i) - low) / std::max(0.001, high - low), 0.0, 1.0);
  }
};

double pair_of_turns(const RopeTable& op, double turns) {
  return op.n_dims * std::log(op.original_context / (2 * std::numbers::pi * turns)) /
         (2 * std::log(double{op.base}));
}

Ramp yarn_ramp(const RopeTable& op) {
  return {std::max(0.0, std::floor(pair_of_turns(op, op.beta_fast))),
          std::min(op.n_dims - 1.0, std::ceil(pair_of_turns(op, op.beta_slow)))};
}

void scale_linear(const RopeTable& op, std::vector<double>& frequencies) {
  for (double& f : frequencies) f /= op.factor;
}

void scale_yarn(const RopeTable& op, std::vector<double>& frequencies) {
  MINFER_CHECK(op.original_context > 0 && op.base > 1, "YaRN over a context of {}, base {}",
               op.original_context, op.base);
  const Ramp ramp = yarn_ramp(op);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double keep = ramp.keep(static_cast<std::int64_t>(i));
    frequencies[i] = frequencies[i] * keep + frequencies[i] / op.factor * (1 - keep);
  }
}

}  // namespace

std::vector<double> rope_frequencies(const RopeTable& op, std::span<const float> divisors) {
  std::vector<double> frequencies(static_cast<std::size_t>(op.n_dims) / 2);
  MINFER_CHECK(divisors.empty() || divisors.size() == frequencies.size(), "{} divisors for {} pairs",
               divisors.size(), frequencies.size());
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    frequencies[i] = std::pow(double{op.base}, -2.0 * static_cast<double>(i) / op.n_dims);
    if (!divisors.empty()) frequencies[i] /= divisors[i];
  }
  if (op.scaling == RopeScaling::kLinear) scale_linear(op, frequencies);
  if (op.scaling == RopeScaling::kYarn) scale_yarn(op, frequencies);
  return frequencies;
}

void fill_rope_row(std::int32_t position, std::span<const double> frequencies, float attention_factor,
                   std::span<float> row) {
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double angle = position * frequencies[i];
    row[i] = static_cast<float>(std::cos(angle) * attention_factor);
    row[frequencies.size() + i] = static_cast<float>(std::sin(angle) * attention_factor);
  }
}

float yarn_attention_factor(float factor) {
  return factor > 1 ? static_cast<float>(1 + 0.1 * std::log(double{factor})) : 1.0f;
}

}  // namespace minfer
