#include "quant/q8_k.h"

#include <numeric>

#include "quant/block_codec.h"
#include "quant/q8_group.h"

namespace minfer {
namespace {

void decode_block(const BlockQ8_K& block, float* values) {
  for (int j = 0; j < 256; ++j) values[j] = block.d * static_cast<float>(block.qs[j]);
}

void encode_block(const float* values, BlockQ8_K& block) {
  block.d = quantize_group_256(values, block.qs);
  for (int i = 0; i < 16; ++i) {
    const std::int8_t* group = block.qs + 16 * i;
    block.bsums[i] = static_cast<std::int16_t>(std::accumulate(group, group + 16, 0));
  }
}

}  // namespace

void decode_q8_k(const void* blocks, float* values, std::int64_t n) {
  decode_blocks<BlockQ8_K, decode_block>(blocks, values, n);
}

void encode_q8_k(const float* values, void* blocks, std::int64_t n) {
  encode_blocks<BlockQ8_K, encode_block>(values, blocks, n);
}

}  // namespace minfer
