// BF16: bfloat16, little-endian, 2 bytes a value. Conversions: quant/float16.h.
#include "quant/block_codec.h"
#include "quant/float16.h"
#include "quant/quant_list.h"

namespace minfer {
namespace {

struct BlockBF16 {
  static constexpr int kValues = 1;
  std::uint16_t bits;
};

void decode_block(const BlockBF16& block, float* values) { *values = bf16_to_fp32(block.bits); }
void encode_block(const float* values, BlockBF16& block) { block.bits = fp32_to_bf16(*values); }

}  // namespace

const QuantTraits kBF16Traits = {DType::kBF16, decode_blocks<BlockBF16, decode_block>,
                                 encode_blocks<BlockBF16, encode_block>, DType::kF32};

}  // namespace minfer
