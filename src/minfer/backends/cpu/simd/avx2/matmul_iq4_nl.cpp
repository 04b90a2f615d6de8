#include <cstddef>

#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_iq4.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockIQ4_NL;
  static constexpr std::size_t kGroup = 32;
  struct Tile {
    __m256i q[8];
    __m256 d;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    look_up_nibbles(rows, offsetof(Block, qs), tile.q);
    tile.d = load_scales(rows, offsetof(Block, d));
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    __m256i sum = _mm256_setzero_si256();
    for (int i = 0; i < 8; ++i)
      sum = add_signed_column(sum, _mm256_abs_epi8(tile.q[i]), tile.q[i], x.q + 4 * i);
    return add_scaled(acc, tile.d, x.d, sum);
  }
};

}  // namespace

void MINFER_AVX2_TIER::matmul_iq4_nl(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
