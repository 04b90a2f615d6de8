#include "backends/cpu/simd/scalar/matmul.h"
#include "backends/cpu/simd/scalar/matmul_words.h"
#include "quant/q8_0.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ8_0;
  static constexpr std::size_t kGroup = 32;
  struct Tile {
    Block block;
    float d;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    tile.block = load_block<Block>(rows);
    tile.d = f16_to_f32(tile.block.d);
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    return fma_scalar(tile.d * x.d, static_cast<float>(integer_dot(tile.block.qs, x.q, 32)), acc);
  }
};

}  // namespace

void matmul_q8_0_scalar(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
