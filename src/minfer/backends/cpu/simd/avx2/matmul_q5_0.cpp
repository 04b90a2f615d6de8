#include <cstddef>

#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_fifth_bits.h"
#include "quant/q5_0.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ5_0;
  static constexpr std::size_t kGroup = 32;
  struct Tile {
    __m256i q[8];
    __m256 d;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    unpack_nibbles(rows, offsetof(Block, qs), tile.q);
    add_fifth_bits(load_dwords(rows, offsetof(Block, qh)), tile.q);
    tile.d = load_scales(rows, offsetof(Block, d));
  }

  // Codes are 16 too large: sum (q - 16) * x = sum q * x - 16 * sum x.
  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    const __m256i sum = dot_columns<5, 8>(tile.q, x.q);
    return add_scaled(acc, tile.d, x.d, _mm256_sub_epi32(sum, _mm256_set1_epi32(16 * x.sums[0])));
  }
};

}  // namespace

void MINFER_AVX2_TIER::matmul_q5_0(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
