#include "quant/q8_1.h"

#include <numeric>

#include "quant/block_codec.h"
#include "quant/float16.h"
#include "quant/q8_group.h"

namespace minfer {
namespace {

void decode_block(const BlockQ8_1& block, float* values) {
  const float d = fp16_to_fp32(block.d);
  for (int j = 0; j < 32; ++j) values[j] = static_cast<float>(block.qs[j]) * d;
}

void encode_block(const float* values, BlockQ8_1& block) {
  const float d = quantize_group_32(values, block.qs);
  const int sum = std::accumulate(block.qs, block.qs + 32, 0);
  block.d = fp32_to_fp16(d);
  block.s = fp32_to_fp16(static_cast<float>(sum) * d);
}

}  // namespace

void decode_q8_1(const void* blocks, float* values, std::int64_t n) {
  decode_blocks<BlockQ8_1, decode_block>(blocks, values, n);
}

void encode_q8_1(const float* values, void* blocks, std::int64_t n) {
  encode_blocks<BlockQ8_1, encode_block>(values, blocks, n);
}

}  // namespace minfer
