// Q5_1: 32 values in 24 bytes, 6 bits a weight.
//   value j = d * q[j] + m, q in 0..31
// Encoding: m = min(x), d = (max(x) - m) / 31, q = trunc((x - m) / d + 0.5).
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_q5_1), ggml-quants.c
#pragma once

#include <cstdint>

namespace minfer {

struct BlockQ5_1 {
  static constexpr int kValues = 32;
  std::uint16_t d;      // scale, float16
  std::uint16_t m;      // minimum, float16
  std::uint8_t qh[4];   // bit j of these 32 (little-endian): the fifth bit of q[j]
  std::uint8_t qs[16];  // byte j: low bits of q[j] in the low nibble, of q[j + 16] in the high one
};
static_assert(sizeof(BlockQ5_1) == 24);

}  // namespace minfer
