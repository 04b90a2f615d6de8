#include "quant/q4_0.h"

#include <algorithm>

#include "quant/block_codec.h"
#include "quant/code_packing.h"
#include "quant/float16.h"
#include "quant/quant_list.h"
#include "quant/range.h"
#include "quant/rounding.h"

namespace minfer {
namespace {

void decode_block(const BlockQ4_0& block, float* values) {
  const float d = fp16_to_fp32(block.d);
  std::uint8_t codes[32];
  unpack_nibbles(block.qs, codes);
  for (int j = 0; j < 32; ++j) values[j] = static_cast<float>(codes[j] - 8) * d;
}

void encode_block(const float* values, BlockQ4_0& block) {
  const float d = extreme_value(values, 32) / -8.0f;
  const float inverse = inverse_or_zero(d);
  std::uint8_t codes[32];
  for (int j = 0; j < 32; ++j)
    codes[j] = static_cast<std::uint8_t>(std::min(15, truncate_to_int(values[j] * inverse + 8.5f)));
  block.d = fp32_to_fp16(d);
  pack_nibbles(codes, block.qs);
}

}  // namespace

const QuantTraits kQ4_0Traits = {DType::kQ4_0, decode_blocks<BlockQ4_0, decode_block>,
                                 encode_blocks<BlockQ4_0, encode_block>, DType::kQ8Row32};

}  // namespace minfer
