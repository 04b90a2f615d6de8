// Q3_K: 256 values in 110 bytes, 3.4375 bits a weight; 16 groups of 16 with 6-bit scales.
//   value j = d * (scale[j / 16] - 32) * (q[j] - 4), q in 0..7
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_q3_K)
#pragma once

#include <cstdint>

namespace minfer {

struct BlockQ3_K {
  static constexpr int kValues = 256;
  std::uint8_t hmask[32];   // third bit of q[j]: bit j / 32 of byte j % 32
  std::uint8_t qs[64];      // low two bits, of value 128h + 32s + l: bits 2s, 2s + 1 of byte 32h + l
  std::uint8_t scales[12];  // scale i: low four bits in nibble i / 8 of byte i % 8 (0 is the low nibble),
                            // upper two in bits 2(i / 4), 2(i / 4) + 1 of byte 8 + i % 4
  std::uint16_t d;          // scale of the scales, float16
};
static_assert(sizeof(BlockQ3_K) == 110);

}  // namespace minfer
