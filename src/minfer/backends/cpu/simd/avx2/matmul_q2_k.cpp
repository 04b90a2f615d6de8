#include <cstddef>

#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_k_groups.h"
#include "quant/q2_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ2_K;
  static constexpr std::size_t kGroup = 256;
  struct Tile : KGroupTile {
    __m256i min_pairs[8];  // of groups 2i and 2i + 1
    __m256 dmin;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    unpack_two_bits(rows, offsetof(Block, qs), tile.q);
    __m256i packed[4];  // of four groups: the scale in the low nibble, the minimum in the high one
    load_columns(rows, offsetof(Block, scales), packed);
    for (int i = 0; i < 4; ++i) {
      __m256i mins[4];
      spread_scales(low_nibbles(packed[i]), tile.scales + 4 * i, tile.scale_pairs + 2 * i);
      spread_scales(high_nibbles(packed[i]), mins, tile.min_pairs + 2 * i);
    }
    const WordPairs scales = load_words(rows, offsetof(Block, d));
    tile.d = _mm256_cvtph_ps(scales.first);
    tile.dmin = _mm256_cvtph_ps(scales.second);
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    acc = add_scaled(acc, tile.d, x.d, sum_k_groups<2>(tile.q, tile.scales, x.q));
    const __m256 scale = _mm256_mul_ps(tile.dmin, _mm256_set1_ps(x.d));
    return _mm256_fnmadd_ps(scale, _mm256_cvtepi32_ps(sum_of_pairs(tile.min_pairs, x.sums)), acc);
  }
};

}  // namespace

void MINFER_AVX2_TIER::matmul_q2_k(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
