// Q4_0: 32 values in 18 bytes, 4.5 bits a weight.
//   value j = d * (q[j] - 8), q in 0..15
// Encoding: d = m / -8 for the value m of largest magnitude (so m itself is code 0, or exact),
// q = min(15, trunc(x / d + 8.5)).
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_q4_0), ggml-quants.c
#pragma once

#include <cstdint>

namespace minfer {

struct BlockQ4_0 {
  static constexpr int kValues = 32;
  std::uint16_t d;      // scale, float16
  std::uint8_t qs[16];  // byte j: q[j] in the low nibble, q[j + 16] in the high one
};
static_assert(sizeof(BlockQ4_0) == 18);

}  // namespace minfer
