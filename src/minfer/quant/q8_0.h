// Q8_0: 32 values in 34 bytes, 8.5 bits a weight. Also ggml's activation block for Q4_0, Q5_0 and Q8_0
// weights.
//   value j = d * q[j]
// Encoding: quant/q8_group.h, groups of 32.
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_q8_0), ggml-quants.c
#pragma once

#include <cstdint>

namespace minfer {

struct BlockQ8_0 {
  static constexpr int kValues = 32;
  std::uint16_t d;  // scale, float16
  std::int8_t qs[32];
};
static_assert(sizeof(BlockQ8_0) == 34);

}  // namespace minfer
