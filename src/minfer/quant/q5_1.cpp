#include "quant/q5_1.h"

#include <algorithm>

#include "quant/block_codec.h"
#include "quant/code_packing.h"
#include "quant/float16.h"
#include "quant/quant_list.h"
#include "quant/range.h"
#include "quant/rounding.h"

namespace minfer {
namespace {

void decode_block(const BlockQ5_1& block, float* values) {
  const float d = fp16_to_fp32(block.d);
  const float m = fp16_to_fp32(block.m);
  std::uint8_t codes[32];
  unpack_nibbles(block.qs, codes);
  unpack_fifth_bits(block.qh, codes);
  for (int j = 0; j < 32; ++j) values[j] = static_cast<float>(codes[j]) * d + m;
}

void encode_block(const float* values, BlockQ5_1& block) {
  const ValueRange range = value_range(values, 32);
  const float d = (range.max - range.min) / 31.0f;
  const float inverse = inverse_or_zero(d);
  std::uint8_t codes[32];
  for (int j = 0; j < 32; ++j)
    codes[j] =
        static_cast<std::uint8_t>(std::min(31, truncate_to_int((values[j] - range.min) * inverse + 0.5f)));
  block.d = fp32_to_fp16(d);
  block.m = fp32_to_fp16(range.min);
  pack_nibbles(codes, block.qs);
  pack_fifth_bits(codes, block.qh);
}

}  // namespace

const QuantTraits kQ5_1Traits = {DType::kQ5_1, decode_blocks<BlockQ5_1, decode_block>,
                                 encode_blocks<BlockQ5_1, encode_block>, DType::kQ8Row32};

}  // namespace minfer
