// Q4_K: 256 values in 144 bytes, 4.5 bits a weight; 8 groups of 32 with 6-bit scales and minimums.
//   value j = d * scale[j / 32] * q[j] - dmin * min[j / 32], q in 0..15
// Encoding: quant/k_affine.h.
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_q4_K), ggml-quants.c
#pragma once

#include <cstdint>

namespace minfer {

struct BlockQ4_K {
  static constexpr int kValues = 256;
  std::uint16_t d;          // scale of the scales, float16
  std::uint16_t dmin;       // scale of the minimums, float16
  std::uint8_t scales[12];  // quant/k_scales.h
  std::uint8_t qs[128];     // byte 32p + l (p < 4, l < 32): q[64p + l] in the low nibble, q[64p + 32 + l] in
                            // the high one
};
static_assert(sizeof(BlockQ4_K) == 144);

}  // namespace minfer
