#include <cstddef>

#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_words.h"
#include "quant/q4_1.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ4_1;
  static constexpr std::size_t kGroup = 32;
  struct Tile {
    __m256i q[8];
    __m256 d;
    __m256 m;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    unpack_nibbles(rows, offsetof(Block, qs), tile.q);
    const WordPairs scales = load_words(rows, offsetof(Block, d));
    tile.d = _mm256_cvtph_ps(scales.first);
    tile.m = _mm256_cvtph_ps(scales.second);
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    acc = add_scaled(acc, tile.d, x.d, dot_columns<4, 8>(tile.q, x.q));
    return add_scaled(acc, tile.m, x.d, _mm256_set1_epi32(x.sums[0]));
  }
};

}  // namespace

void MINFER_AVX2_TIER::matmul_q4_1(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
