// F16: IEEE 754 binary16, little-endian, 2 bytes a value. Conversions: quant/float16.h.
#include "quant/block_codec.h"
#include "quant/float16.h"
#include "quant/quant_list.h"

namespace minfer {
namespace {

struct BlockF16 {
  static constexpr int kValues = 1;
  std::uint16_t bits;
};

void decode_block(const BlockF16& block, float* values) { *values = fp16_to_fp32(block.bits); }
void encode_block(const float* values, BlockF16& block) { block.bits = fp32_to_fp16(*values); }

}  // namespace

const QuantTraits kF16Traits = {DType::kF16, decode_blocks<BlockF16, decode_block>,
                                encode_blocks<BlockF16, encode_block>, DType::kF32};

}  // namespace minfer
