#include "backends/cpu/simd/scalar/matmul.h"
#include "backends/cpu/simd/scalar/matmul_words.h"
#include "quant/q6_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ6_K;
  static constexpr std::size_t kGroup = 256;
  struct Tile {
    std::int8_t q[256];
    std::int8_t scales[16];
    float d;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    const Block block = load_block<Block>(rows);
    for (int half = 0; half < 2; ++half) {
      std::int8_t* q = tile.q + 128 * half;
      unpack_nibbles(block.ql + 64 * half, 64, q);
      for (int i = 0; i < 128; ++i)
        q[i] =
            static_cast<std::int8_t>((q[i] | ((block.qh[32 * half + i % 32] >> (i / 32 * 2)) & 3) << 4) - 32);
    }
    std::memcpy(tile.scales, block.scales, sizeof(tile.scales));
    tile.d = f16_to_f32(block.d);
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    std::int32_t sum = 0;
    for (int g = 0; g < 16; ++g) sum += tile.scales[g] * integer_dot(tile.q + 16 * g, x.q + 16 * g, 16);
    return fma_scalar(tile.d * x.d, static_cast<float>(sum), acc);
  }
};

}  // namespace

void matmul_q6_k_scalar(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
