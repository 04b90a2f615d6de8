#include "backends/cpu/simd/scalar/matmul.h"
#include "backends/cpu/simd/scalar/matmul_k_affine.h"
#include "quant/q5_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ5_K;
  static constexpr std::size_t kGroup = 256;
  using Tile = KAffineTile;

  static void unpack(const BlockRows& rows, Tile& tile) {
    const Block block = load_block<Block>(rows);
    unpack_k_affine(block, tile);
    for (int i = 0; i < 256; ++i)
      tile.q[i] = static_cast<std::int8_t>(tile.q[i] | ((block.qh[i % 32] >> (i / 32)) & 1) << 4);
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    return dot_k_affine(tile, x, acc);
  }
};

}  // namespace

void matmul_q5_k_scalar(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
