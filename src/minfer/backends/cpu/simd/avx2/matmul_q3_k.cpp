#include <cstddef>

#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_k_groups.h"
#include "quant/q3_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ3_K;
  static constexpr std::size_t kGroup = 256;
  using Tile = KGroupTile;

  static void unpack(const BlockRows& rows, Tile& tile) {
    unpack_two_bits(rows, offsetof(Block, qs), tile.q);
    add_third_bits(rows, tile.q);
    __m256i tail[4];  // two other bytes, the 12 of the scales, d
    load_columns(rows, sizeof(Block) - 16, tail);
    unpack_scales(tail, tile);
    const __m256i d = _mm256_srli_epi32(tail[3], 16);
    tile.d = _mm256_cvtph_ps(_mm_packus_epi32(_mm256_castsi256_si128(d), _mm256_extracti128_si256(d, 1)));
  }

  // Bit j / 32 of byte j % 32 is the third bit of code j.
  static void add_third_bits(const BlockRows& rows, __m256i q[64]) {
    __m256i high[8];
    load_columns(rows, offsetof(Block, hmask), high);
    load_columns(rows, offsetof(Block, hmask) + 16, high + 4);
    for (int g = 0; g < 8; ++g)
      for (int i = 0; i < 8; ++i) {
        const __m256i bit = _mm256_and_si256(_mm256_srli_epi16(high[i], g), _mm256_set1_epi8(1));
        q[8 * g + i] = _mm256_or_si256(q[8 * g + i], _mm256_slli_epi16(bit, 2));
      }
  }

  static void unpack_scales(const __m256i tail[4], Tile& tile) {
    __m256i bytes[3];  // the 12 bytes: two of low nibbles, then the upper bits of all
    for (int i = 0; i < 3; ++i)
      bytes[i] = _mm256_or_si256(_mm256_srli_epi32(tail[i], 16), _mm256_slli_epi32(tail[i + 1], 16));
    const __m256i low[4] = {low_nibbles(bytes[0]), low_nibbles(bytes[1]), high_nibbles(bytes[0]),
                            high_nibbles(bytes[1])};
    for (int i = 0; i < 4; ++i) {
      const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(bytes[2], 2 * i), _mm256_set1_epi8(3));
      const __m256i scale = _mm256_or_si256(low[i], _mm256_slli_epi16(upper, 4));
      spread_scales(_mm256_sub_epi8(scale, _mm256_set1_epi8(32)), tile.scales + 4 * i,
                    tile.scale_pairs + 2 * i);
    }
  }

  // Codes are 4 too large.
  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    return dot_k_groups<3, 4>(tile, x, acc);
  }
};

}  // namespace

void MINFER_AVX2_TIER::matmul_q3_k(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
