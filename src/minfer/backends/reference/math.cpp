#include "backends/reference/math.h"

#include <cmath>

namespace minfer::reference {

float dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return static_cast<float>(sum);
}

double silu(double x) { return x / (1 + std::exp(-x)); }

void rms_norm(std::span<const float> x, std::span<const float> weight, float eps, std::span<float> out) {
  double squares = 0;
  for (const float value : x) squares += double{value} * value;
  const double scale = 1 / std::sqrt(squares / static_cast<double>(x.size()) + eps);
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = static_cast<float>(x[i] * scale * weight[i]);
}

void rotate(RopeStyle style, std::span<const float> table, std::span<float> head) {
  const std::size_t pairs = table.size() / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t first = style == RopeStyle::kNeox ? i : 2 * i;
    const std::size_t second = style == RopeStyle::kNeox ? i + pairs : 2 * i + 1;
    const double x = head[first];
    const double y = head[second];
    const double cosine = table[i];
    const double sine = table[pairs + i];
    head[first] = static_cast<float>(x * cosine - y * sine);
    head[second] = static_cast<float>(x * sine + y * cosine);
  }
}

}  // namespace minfer::reference
