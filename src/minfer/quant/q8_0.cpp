#include "quant/q8_0.h"

#include "quant/block_codec.h"
#include "quant/float16.h"
#include "quant/q8_group.h"
#include "quant/quant_list.h"

namespace minfer {
namespace {

void decode_block(const BlockQ8_0& block, float* values) {
  const float d = fp16_to_fp32(block.d);
  for (int j = 0; j < 32; ++j) values[j] = static_cast<float>(block.qs[j]) * d;
}

void encode_block(const float* values, BlockQ8_0& block) {
  block.d = fp32_to_fp16(quantize_group_32(values, block.qs));
}

}  // namespace

const QuantTraits kQ8_0Traits = {DType::kQ8_0, decode_blocks<BlockQ8_0, decode_block>,
                                 encode_blocks<BlockQ8_0, encode_block>, DType::kQ8Row32};

}  // namespace minfer
