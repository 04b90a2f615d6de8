// IQ4_XS: 256 values in 136 bytes, 4.25 bits a weight; IQ4_NL's codes with a 6-bit scale per 32 values.
//   value j = d * (scale[j / 32] - 32) * kIq4NlValues[q[j]]
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_iq4_xs)
#pragma once

#include <cstdint>

namespace minfer {

struct BlockIQ4_XS {
  static constexpr int kValues = 256;
  std::uint16_t d;           // scale of the scales, float16
  std::uint16_t scales_h;    // bits 2i, 2i + 1: the upper two bits of scale i
  std::uint8_t scales_l[4];  // low four bits of scales 2i (low nibble) and 2i + 1 (high nibble)
  std::uint8_t qs[128];  // 16 bytes per 32 values; byte j: q[j] in the low nibble, q[j + 16] in the high one
};
static_assert(sizeof(BlockIQ4_XS) == 136);

}  // namespace minfer
