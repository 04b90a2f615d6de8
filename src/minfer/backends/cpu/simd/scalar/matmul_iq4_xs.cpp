#include "quant/iq4_xs.h"

#include "backends/cpu/simd/scalar/matmul.h"
#include "backends/cpu/simd/scalar/matmul_iq4.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockIQ4_XS;
  static constexpr std::size_t kGroup = 256;
  struct Tile {
    std::int8_t q[256];
    int scales[8];
    float d;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    const Block block = load_block<Block>(rows);
    for (int g = 0; g < 8; ++g) {
      look_up_nibbles(block.qs + 16 * g, tile.q + 32 * g);
      const int low = (block.scales_l[g / 2] >> (4 * (g % 2))) & 15;
      const int high = (block.scales_h >> (2 * g)) & 3;
      tile.scales[g] = (low | high << 4) - 32;
    }
    tile.d = f16_to_f32(block.d);
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    std::int32_t sum = 0;
    for (int g = 0; g < 8; ++g) sum += tile.scales[g] * integer_dot(tile.q + 32 * g, x.q + 32 * g, 32);
    return fma_scalar(tile.d * x.d, static_cast<float>(sum), acc);
  }
};

}  // namespace

void matmul_iq4_xs_scalar(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
