#include "quant/q2_k.h"

#include "quant/block_codec.h"
#include "quant/float16.h"
#include "quant/quant_list.h"

namespace minfer {
namespace {

int code_of(const BlockQ2_K& block, int j) {
  return (block.qs[j / 128 * 32 + j % 32] >> (j % 128 / 32 * 2)) & 3;
}

void decode_block(const BlockQ2_K& block, float* values) {
  const float d = fp16_to_fp32(block.d);
  const float dmin = fp16_to_fp32(block.dmin);
  for (int i = 0; i < 16; ++i) {
    const float scale = d * static_cast<float>(block.scales[i] & 15);
    const float minimum = dmin * static_cast<float>(block.scales[i] >> 4);
    for (int j = 16 * i; j < 16 * (i + 1); ++j)
      values[j] = scale * static_cast<float>(code_of(block, j)) - minimum;
  }
}

}  // namespace

const QuantTraits kQ2_KTraits = {DType::kQ2_K, decode_blocks<BlockQ2_K, decode_block>, nullptr,
                                 DType::kQ8Row256};

}  // namespace minfer
