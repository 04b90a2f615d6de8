#include "backends/cpu/simd/scalar/matmul.h"
#include "backends/cpu/simd/scalar/matmul_two_bits.h"
#include "quant/q3_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ3_K;
  static constexpr std::size_t kGroup = 256;
  struct Tile {
    std::int8_t q[256];
    int scales[16];
    float d;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    const Block block = load_block<Block>(rows);
    unpack_two_bits(block.qs, tile.q);
    for (int j = 0; j < 256; ++j)
      tile.q[j] = static_cast<std::int8_t>((tile.q[j] | ((block.hmask[j % 32] >> (j / 32)) & 1) << 2) - 4);
    for (int i = 0; i < 16; ++i) tile.scales[i] = scale_of(block, i);
    tile.d = f16_to_f32(block.d);
  }

  static int scale_of(const Block& block, int i) {
    const int low = (block.scales[i % 8] >> (i / 8 * 4)) & 15;
    const int high = (block.scales[8 + i % 4] >> (i / 4 * 2)) & 3;
    return (low | high << 4) - 32;
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    std::int32_t sum = 0;
    for (int g = 0; g < 16; ++g) sum += tile.scales[g] * integer_dot(tile.q + 16 * g, x.q + 16 * g, 16);
    return fma_scalar(tile.d * x.d, static_cast<float>(sum), acc);
  }
};

}  // namespace

void matmul_q3_k_scalar(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
