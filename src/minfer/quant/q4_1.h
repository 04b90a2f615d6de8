// Q4_1: 32 values in 20 bytes, 5 bits a weight.
//   value j = d * q[j] + m, q in 0..15
// Encoding: m = min(x), d = (max(x) - m) / 15, q = min(15, trunc((x - m) / d + 0.5)).
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_q4_1), ggml-quants.c
#pragma once

#include <cstdint>

namespace minfer {

struct BlockQ4_1 {
  static constexpr int kValues = 32;
  std::uint16_t d;      // scale, float16
  std::uint16_t m;      // minimum, float16
  std::uint8_t qs[16];  // byte j: q[j] in the low nibble, q[j + 16] in the high one
};
static_assert(sizeof(BlockQ4_1) == 20);

}  // namespace minfer
