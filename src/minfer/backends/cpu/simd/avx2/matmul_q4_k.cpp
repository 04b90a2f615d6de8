#include <cstddef>

#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_k_affine.h"
#include "quant/q4_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ4_K;
  static constexpr std::size_t kGroup = 256;
  using Tile = KAffineTile;

  static void unpack(const BlockRows& rows, Tile& tile) {
    unpack_k_scales(rows, tile);
    unpack_k_nibbles(rows, offsetof(Block, qs), tile);
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    return dot_k_affine<4>(tile, x, acc);
  }
};

}  // namespace

void MINFER_AVX2_TIER::matmul_q4_k(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
