#include <cstddef>

#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_k_groups.h"
#include "quant/q6_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ6_K;
  static constexpr std::size_t kGroup = 256;
  using Tile = KGroupTile;

  static void unpack(const BlockRows& rows, Tile& tile) {
    for (std::size_t half = 0; half < 2; ++half)
      for (std::size_t part = 0; part < 2; ++part)
        unpack_codes(rows, half, part, tile.q + 32 * half + 4 * part);
    __m256i packed[4];
    load_columns(rows, offsetof(Block, scales), packed);
    for (int i = 0; i < 4; ++i) spread_scales(packed[i], tile.scales + 4 * i, tile.scale_pairs + 2 * i);
    tile.d = load_last_scales(rows);
  }

  // The codes 16 * part .. 16 * part + 15 of each of the four groups of 32 in a half of the block.
  static void unpack_codes(const BlockRows& rows, std::size_t half, std::size_t part, __m256i* q) {
    __m256i low[4];
    __m256i low_next[4];
    __m256i high[4];
    load_columns(rows, offsetof(Block, ql) + 64 * half + 16 * part, low);
    load_columns(rows, offsetof(Block, ql) + 64 * half + 16 * part + 32, low_next);
    load_columns(rows, offsetof(Block, qh) + 32 * half + 16 * part, high);
    const __m256i mask = _mm256_set1_epi8(0x30);
    for (int i = 0; i < 4; ++i) {
      q[i] = _mm256_or_si256(low_nibbles(low[i]), _mm256_and_si256(_mm256_slli_epi16(high[i], 4), mask));
      q[i + 8] =
          _mm256_or_si256(low_nibbles(low_next[i]), _mm256_and_si256(_mm256_slli_epi16(high[i], 2), mask));
      q[i + 16] = _mm256_or_si256(high_nibbles(low[i]), _mm256_and_si256(high[i], mask));
      q[i + 24] =
          _mm256_or_si256(high_nibbles(low_next[i]), _mm256_and_si256(_mm256_srli_epi16(high[i], 2), mask));
    }
  }

  // d is the block's last word: read with the one before it, so as not to read past the row.
  static __m256 load_last_scales(const BlockRows& rows) {
    return _mm256_cvtph_ps(load_words(rows, offsetof(Block, d) - 2).second);
  }

  // Codes are 32 too large.
  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    return dot_k_groups<6, 32>(tile, x, acc);
  }
};

}  // namespace

void MINFER_AVX2_TIER::matmul_q6_k(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
