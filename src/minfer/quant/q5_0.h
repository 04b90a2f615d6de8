// Q5_0: 32 values in 22 bytes, 5.5 bits a weight.
//   value j = d * (q[j] - 16), q in 0..31
// Encoding: d = m / -16 for the value m of largest magnitude, q = min(31, trunc(x / d + 16.5)).
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_q5_0), ggml-quants.c
#pragma once

#include <cstdint>

namespace minfer {

struct BlockQ5_0 {
  static constexpr int kValues = 32;
  std::uint16_t d;      // scale, float16
  std::uint8_t qh[4];   // bit j of these 32 (little-endian): the fifth bit of q[j]
  std::uint8_t qs[16];  // byte j: low bits of q[j] in the low nibble, of q[j + 16] in the high one
};
static_assert(sizeof(BlockQ5_0) == 22);

}  // namespace minfer
