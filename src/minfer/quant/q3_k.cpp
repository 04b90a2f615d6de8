#include "quant/q3_k.h"

#include "quant/block_codec.h"
#include "quant/float16.h"
#include "quant/quant_list.h"

namespace minfer {
namespace {

int scale_of(const BlockQ3_K& block, int i) {
  const int low = (block.scales[i % 8] >> (i / 8 * 4)) & 15;
  const int high = (block.scales[8 + i % 4] >> (i / 4 * 2)) & 3;
  return (low | high << 4) - 32;
}

int code_of(const BlockQ3_K& block, int j) {
  const int low = (block.qs[j / 128 * 32 + j % 32] >> (j % 128 / 32 * 2)) & 3;
  const int high = (block.hmask[j % 32] >> (j / 32)) & 1;
  return (low | high << 2) - 4;
}

void decode_block(const BlockQ3_K& block, float* values) {
  const float d = fp16_to_fp32(block.d);
  for (int i = 0; i < 16; ++i) {
    const float scale = d * static_cast<float>(scale_of(block, i));
    for (int j = 16 * i; j < 16 * (i + 1); ++j) values[j] = scale * static_cast<float>(code_of(block, j));
  }
}

}  // namespace

const QuantTraits kQ3_KTraits = {DType::kQ3_K, decode_blocks<BlockQ3_K, decode_block>, nullptr,
                                 DType::kQ8Row256};

}  // namespace minfer
