// Q8_K: 256 values in 292 bytes: ggml's activation block for K-quant weights. Never a weight type.
//   value j = d * q[j]
// Encoding: quant/q8_group.h, groups of 256.
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_q8_K), ggml-quants.c
#pragma once

#include <cstdint>

namespace minfer {

struct BlockQ8_K {
  static constexpr int kValues = 256;
  float d;  // scale; negative where the value of largest magnitude is positive
  std::int8_t qs[256];
  std::int16_t bsums[16];  // sum of qs over 16 values
};
static_assert(sizeof(BlockQ8_K) == 292);

// n values (a multiple of 256) of consecutive blocks.
void decode_q8_k(const void* blocks, float* values, std::int64_t n);
void encode_q8_k(const float* values, void* blocks, std::int64_t n);

}  // namespace minfer
