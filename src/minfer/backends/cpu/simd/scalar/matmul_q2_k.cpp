#include "backends/cpu/simd/scalar/matmul.h"
#include "backends/cpu/simd/scalar/matmul_two_bits.h"
#include "quant/q2_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ2_K;
  static constexpr std::size_t kGroup = 256;
  struct Tile {
    std::int8_t q[256];
    std::uint8_t scales[16];  // the minimum in the high nibble
    float d;
    float dmin;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    const Block block = load_block<Block>(rows);
    unpack_two_bits(block.qs, tile.q);
    std::memcpy(tile.scales, block.scales, sizeof(tile.scales));
    tile.d = f16_to_f32(block.d);
    tile.dmin = f16_to_f32(block.dmin);
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    std::int32_t sum = 0;
    std::int32_t min_sum = 0;
    for (int g = 0; g < 16; ++g) {
      sum += (tile.scales[g] & 15) * integer_dot(tile.q + 16 * g, x.q + 16 * g, 16);
      min_sum += (tile.scales[g] >> 4) * x.sums[g];
    }
    acc = fma_scalar(tile.d * x.d, static_cast<float>(sum), acc);
    return fma_scalar(-(tile.dmin * x.d), static_cast<float>(min_sum), acc);
  }
};

}  // namespace

void matmul_q2_k_scalar(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
