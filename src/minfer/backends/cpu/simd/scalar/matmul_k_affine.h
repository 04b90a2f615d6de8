// What Q4_K and Q5_K share in scalar code: 8 groups of 32 codes, each with a 6-bit scale and minimum.
#pragma once

#include "backends/cpu/simd/scalar/matmul_words.h"
#include "quant/k_scales.h"

namespace minfer {
namespace {

struct KAffineTile {
  std::int8_t q[256];
  std::uint8_t scales[8];
  std::uint8_t mins[8];
  float d;
  float dmin;
};

// Scales, and the low four bits of the codes.
template <class Block>
inline void unpack_k_affine(const Block& block, KAffineTile& tile) {
  unpack_k_scales(block.scales, tile.scales, tile.mins);
  for (int pair = 0; pair < 4; ++pair) unpack_nibbles(block.qs + 32 * pair, 32, tile.q + 64 * pair);
  tile.d = f16_to_f32(block.d);
  tile.dmin = f16_to_f32(block.dmin);
}

inline Lanes dot_k_affine(const KAffineTile& tile, const ActivationBlock& x, Lanes acc) {
  std::int32_t sum = 0;
  std::int32_t min_sum = 0;
  for (int g = 0; g < 8; ++g) {
    sum += tile.scales[g] * integer_dot(tile.q + 32 * g, x.q + 32 * g, 32);
    min_sum += tile.mins[g] * (x.sums[2 * g] + x.sums[2 * g + 1]);
  }
  acc = fma_scalar(tile.d * x.d, static_cast<float>(sum), acc);
  return fma_scalar(-(tile.dmin * x.d), static_cast<float>(min_sum), acc);
}

}  // namespace
}  // namespace minfer
