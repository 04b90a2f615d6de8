#include "backends/cpu/simd/scalar/matmul.h"
#include "backends/cpu/simd/scalar/matmul_iq4.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockIQ4_NL;
  static constexpr std::size_t kGroup = 32;
  struct Tile {
    std::int8_t q[32];
    float d;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    const Block block = load_block<Block>(rows);
    look_up_nibbles(block.qs, tile.q);
    tile.d = f16_to_f32(block.d);
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    return fma_scalar(tile.d * x.d, static_cast<float>(integer_dot(tile.q, x.q, 32)), acc);
  }
};

}  // namespace

void matmul_iq4_nl_scalar(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
