#include "backends/cpu/simd/scalar/matmul.h"
#include "backends/cpu/simd/scalar/matmul_k_affine.h"
#include "quant/q4_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ4_K;
  static constexpr std::size_t kGroup = 256;
  using Tile = KAffineTile;

  static void unpack(const BlockRows& rows, Tile& tile) { unpack_k_affine(load_block<Block>(rows), tile); }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    return dot_k_affine(tile, x, acc);
  }
};

}  // namespace

void matmul_q4_k_scalar(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
