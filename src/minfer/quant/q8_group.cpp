#include "quant/q8_group.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "quant/range.h"
#include "quant/rounding.h"

namespace minfer {
namespace {

bool all_finite(const float* values, int n) {
  return std::all_of(values, values + n, [](float x) { return std::isfinite(x); });
}

float zero_group(float d, std::int8_t* q, int n) {
  std::fill_n(q, n, std::int8_t{0});
  return d;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

float quantize_group_32(const float* values, std::int8_t* q) {
  if (!all_finite(values, 32)) return zero_group(kNan, q, 32);
  const float d = std::fabs(extreme_value(values, 32)) / 127.0f;
  const float inverse = inverse_or_zero(d);
  if (std::isinf(inverse)) return zero_group(d, q, 32);
  for (int j = 0; j < 32; ++j) q[j] = static_cast<std::int8_t>(std::round(values[j] * inverse));
  return d;
}

float quantize_group_256(const float* values, std::int8_t* q) {
  if (!all_finite(values, 256)) return zero_group(kNan, q, 256);
  const float inverse = -127.0f / extreme_value(values, 256);
  if (std::isinf(inverse)) return zero_group(0.0f, q, 256);
  for (int j = 0; j < 256; ++j)
    q[j] = static_cast<std::int8_t>(std::min(127, nearest_int(inverse * values[j])));
  return 1.0f / inverse;
}

}  // namespace minfer
