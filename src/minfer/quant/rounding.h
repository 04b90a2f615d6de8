// Float to integer as ggml's reference encoders do it, defined for every input.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "quant/float16.h"

namespace minfer {

// Towards zero. Out of range, and for NaN, the smallest int: what x86's conversion gives, and with it the
// blocks of ggml where the inverse of a tiny scale has overflowed.
static inline int truncate_to_int(float x) {
  return std::fabs(x) < 0x1p31f ? static_cast<int>(x) : std::numeric_limits<int>::min();
}

// To nearest, ties to even, for |x| <= 2^22; a value in [-2^22, 2^22) of no meaning for any other x. Adding
// 1.5 * 2^23 leaves the integer in the mantissa.
static inline int nearest_int(float x) {
  return static_cast<int>(float_to_bits(x + 12582912.0f) & 0x007fffffu) - 0x00400000;
}

static inline float inverse_or_zero(float d) { return d != 0.0f ? 1.0f / d : 0.0f; }

}  // namespace minfer
