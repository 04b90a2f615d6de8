#include "quant/q4_k.h"

#include "quant/block_codec.h"
#include "quant/k_affine.h"
#include "quant/k_scales.h"
#include "quant/quant_list.h"

namespace minfer {
namespace {

constexpr AffineSearch kSearch = {.max_code = 15, .first = -1.0f, .step = 0.1f, .n_steps = 20};

void decode_block(const BlockQ4_K& block, float* values) {
  AffineSuperBlock affine;
  affine.d = block.d;
  affine.dmin = block.dmin;
  unpack_k_scales(block.scales, affine.scales, affine.mins);
  for (int j = 0; j < 256; ++j) affine.codes[j] = (block.qs[j / 64 * 32 + j % 32] >> (j % 64 / 32 * 4)) & 15;
  decode_affine(affine, values);
}

void encode_block(const float* values, BlockQ4_K& block) {
  AffineSuperBlock affine;
  encode_affine(values, kSearch, affine);
  block.d = affine.d;
  block.dmin = affine.dmin;
  pack_k_scales(affine.scales, affine.mins, block.scales);
  for (int i = 0; i < 128; ++i) {
    const std::uint8_t* codes = affine.codes + i / 32 * 64 + i % 32;
    block.qs[i] = static_cast<std::uint8_t>(codes[0] | codes[32] << 4);
  }
}

}  // namespace

const QuantTraits kQ4_KTraits = {DType::kQ4_K, decode_blocks<BlockQ4_K, decode_block>,
                                 encode_blocks<BlockQ4_K, encode_block>, DType::kQ8Row256};

}  // namespace minfer
