#include "quant/iq4_nl.h"

#include "quant/block_codec.h"
#include "quant/code_packing.h"
#include "quant/float16.h"
#include "quant/quant_list.h"

namespace minfer {
namespace {

void decode_block(const BlockIQ4_NL& block, float* values) {
  const float d = fp16_to_fp32(block.d);
  std::uint8_t codes[32];
  unpack_nibbles(block.qs, codes);
  for (int j = 0; j < 32; ++j) values[j] = d * static_cast<float>(kIq4NlValues[codes[j]]);
}

}  // namespace

const QuantTraits kIQ4_NLTraits = {DType::kIQ4_NL, decode_blocks<BlockIQ4_NL, decode_block>, nullptr,
                                   DType::kQ8Row32};

}  // namespace minfer
