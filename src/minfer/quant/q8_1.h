// Q8_1: 32 values in 36 bytes: ggml's activation block for Q4_1 and Q5_1 weights. Never a weight type.
//   value j = d * q[j];  s = d * (q[0] + ... + q[31]), from d before its rounding to float16
// Encoding: quant/q8_group.h, groups of 32.
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_q8_1), ggml-quants.c
#pragma once

#include <cstdint>

namespace minfer {

struct BlockQ8_1 {
  static constexpr int kValues = 32;
  std::uint16_t d;  // scale, float16
  std::uint16_t s;  // float16
  std::int8_t qs[32];
};
static_assert(sizeof(BlockQ8_1) == 36);

// n values (a multiple of 32) of consecutive blocks.
void decode_q8_1(const void* blocks, float* values, std::int64_t n);
void encode_q8_1(const float* values, void* blocks, std::int64_t n);

}  // namespace minfer
