#include "backends/cpu/simd/scalar/matmul.h"
#include "backends/cpu/simd/scalar/matmul_words.h"
#include "quant/q4_1.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ4_1;
  static constexpr std::size_t kGroup = 32;
  struct Tile {
    std::int8_t q[32];
    float d;
    float m;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    const Block block = load_block<Block>(rows);
    unpack_nibbles(block.qs, 16, tile.q);
    tile.d = f16_to_f32(block.d);
    tile.m = f16_to_f32(block.m);
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    acc = fma_scalar(tile.d * x.d, static_cast<float>(integer_dot(tile.q, x.q, 32)), acc);
    return fma_scalar(tile.m * x.d, static_cast<float>(x.sums[0]), acc);
  }
};

}  // namespace

void matmul_q4_1_scalar(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
