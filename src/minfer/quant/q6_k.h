// Q6_K: 256 values in 210 bytes, 6.5625 bits a weight; 16 groups of 16 with 8-bit scales.
//   value j = d * scale[j / 16] * (q[j] - 32), q in 0..63
// Encoding: for each group the scale of least weighted squared error among 19 candidates, then the 16 scales to
// 8 bits, then codes for the scales as stored; details in the source file.
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_q6_K), ggml-quants.c
#pragma once

#include <cstdint>

namespace minfer {

struct BlockQ6_K {
  static constexpr int kValues = 256;
  // Of value 128h + 32s + l (h < 2, s < 4, l < 32):
  std::uint8_t ql[128];  // low four bits, nibble s / 2 (0 is the low one) of byte 64h + 32(s % 2) + l
  std::uint8_t qh[64];   // upper two bits, bits 2s, 2s + 1 of byte 32h + l
  std::int8_t scales[16];
  std::uint16_t d;  // scale of the scales, float16
};
static_assert(sizeof(BlockQ6_K) == 210);

}  // namespace minfer
