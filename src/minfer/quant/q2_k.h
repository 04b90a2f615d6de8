// Q2_K: 256 values in 84 bytes, 2.625 bits a weight; 16 groups of 16 with 4-bit scales and minimums.
//   value j = d * scale[j / 16] * q[j] - dmin * min[j / 16], q in 0..3
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_q2_K)
#pragma once

#include <cstdint>

namespace minfer {

struct BlockQ2_K {
  static constexpr int kValues = 256;
  std::uint8_t scales[16];  // of group i: scale in the low nibble, minimum in the high one
  std::uint8_t qs[64];      // of value 128h + 32s + l: bits 2s, 2s + 1 of byte 32h + l (h < 2, s < 4, l < 32)
  std::uint16_t d;          // scale of the scales, float16
  std::uint16_t dmin;       // scale of the minimums, float16
};
static_assert(sizeof(BlockQ2_K) == 84);

}  // namespace minfer
