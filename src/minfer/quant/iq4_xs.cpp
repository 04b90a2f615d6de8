#include "quant/iq4_xs.h"

#include "quant/block_codec.h"
#include "quant/code_packing.h"
#include "quant/float16.h"
#include "quant/iq4_nl.h"
#include "quant/quant_list.h"

namespace minfer {
namespace {

int scale_of(const BlockIQ4_XS& block, int i) {
  const int low = (block.scales_l[i / 2] >> (4 * (i % 2))) & 15;
  const int high = (block.scales_h >> (2 * i)) & 3;
  return (low | high << 4) - 32;
}

void decode_block(const BlockIQ4_XS& block, float* values) {
  const float d = fp16_to_fp32(block.d);
  for (int i = 0; i < 8; ++i) {
    const float scale = d * static_cast<float>(scale_of(block, i));
    std::uint8_t codes[32];
    unpack_nibbles(block.qs + 16 * i, codes);
    for (int j = 0; j < 32; ++j) values[32 * i + j] = scale * static_cast<float>(kIq4NlValues[codes[j]]);
  }
}

}  // namespace

const QuantTraits kIQ4_XSTraits = {DType::kIQ4_XS, decode_blocks<BlockIQ4_XS, decode_block>, nullptr,
                                   DType::kQ8Row256};

}  // namespace minfer
