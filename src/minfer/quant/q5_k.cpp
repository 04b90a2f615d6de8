#include "quant/q5_k.h"

#include <algorithm>

#include "quant/block_codec.h"
#include "quant/k_affine.h"
#include "quant/k_scales.h"
#include "quant/quant_list.h"

namespace minfer {
namespace {

constexpr AffineSearch kSearch = {.max_code = 31, .first = -0.5f, .step = 0.1f, .n_steps = 15};

std::uint8_t code_of(const BlockQ5_K& block, int j) {
  const int low = (block.qs[j / 64 * 32 + j % 32] >> (j % 64 / 32 * 4)) & 15;
  const int high = (block.qh[j % 32] >> (j / 32)) & 1;
  return static_cast<std::uint8_t>(low | high << 4);
}

void decode_block(const BlockQ5_K& block, float* values) {
  AffineSuperBlock affine;
  affine.d = block.d;
  affine.dmin = block.dmin;
  unpack_k_scales(block.scales, affine.scales, affine.mins);
  for (int j = 0; j < 256; ++j) affine.codes[j] = code_of(block, j);
  decode_affine(affine, values);
}

void encode_block(const float* values, BlockQ5_K& block) {
  AffineSuperBlock affine;
  encode_affine(values, kSearch, affine);
  block.d = affine.d;
  block.dmin = affine.dmin;
  pack_k_scales(affine.scales, affine.mins, block.scales);
  for (int i = 0; i < 128; ++i) {
    const std::uint8_t* codes = affine.codes + i / 32 * 64 + i % 32;
    block.qs[i] = static_cast<std::uint8_t>((codes[0] & 15) | (codes[32] & 15) << 4);
  }
  std::fill_n(block.qh, 32, std::uint8_t{0});
  for (int j = 0; j < 256; ++j)
    block.qh[j % 32] |= static_cast<std::uint8_t>((affine.codes[j] >> 4) << (j / 32));
}

}  // namespace

const QuantTraits kQ5_KTraits = {DType::kQ5_K, decode_blocks<BlockQ5_K, decode_block>,
                                 encode_blocks<BlockQ5_K, encode_block>, DType::kQ8Row256};

}  // namespace minfer
