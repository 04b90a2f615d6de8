#include <cstddef>

#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_words.h"
#include "quant/q6_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ6_K;
  static constexpr std::size_t kGroup = 256;
  struct Tile {
    __m256i q[64];
    __m256i scales[16];      // of a group of 16 codes, twice in each lane, as 16-bit numbers
    __m256i scale_pairs[8];  // of groups 2i and 2i + 1
    __m256 d;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    for (std::size_t half = 0; half < 2; ++half)
      for (std::size_t part = 0; part < 2; ++part)
        unpack_codes(rows, half, part, tile.q + 32 * half + 4 * part);
    __m256i packed[4];
    load_columns(rows, offsetof(Block, scales), packed);
    for (int i = 0; i < 4; ++i) unpack_scales(packed[i], tile.scales + 4 * i, tile.scale_pairs + 2 * i);
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

  // From four int8 scales a lane. A byte in the upper half of a 16-bit number is shifted down with its sign.
  static void unpack_scales(__m256i packed, __m256i scales[4], __m256i pairs[2]) {
    const __m256i even = _mm256_srai_epi16(_mm256_slli_epi16(packed, 8), 8);  // scale 0, scale 2
    const __m256i odd = _mm256_srai_epi16(packed, 8);                         // scale 1, scale 3
    scales[0] = repeat_low(even);
    scales[1] = repeat_low(odd);
    scales[2] = repeat_high(even);
    scales[3] = repeat_high(odd);
    pairs[0] = _mm256_blend_epi16(scales[0], scales[1], 0xaa);
    pairs[1] = _mm256_blend_epi16(scales[2], scales[3], 0xaa);
  }
  static __m256i repeat_low(__m256i words) {
    return _mm256_blend_epi16(words, _mm256_slli_epi32(words, 16), 0xaa);
  }
  static __m256i repeat_high(__m256i words) {
    return _mm256_blend_epi16(_mm256_srli_epi32(words, 16), words, 0xaa);
  }

  // d is the block's last word: read with the one before it, so as not to read past the row.
  static __m256 load_last_scales(const BlockRows& rows) {
    return _mm256_cvtph_ps(load_words(rows, offsetof(Block, d) - 2).second);
  }

  // Codes are 32 too large: sum scale * (q - 32) * x = sum scale * q * x - 32 * sum scale * sum x.
  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    __m256i sum = _mm256_setzero_si256();
    __m256i excess = _mm256_setzero_si256();
    for (int g = 0; g < 16; ++g) {
      const __m256i* q = tile.q + 4 * g;
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(dot_pairs<2>(q, x.q + 16 * g), tile.scales[g]));
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(dot_pairs<2>(q + 2, x.q + 16 * g + 8), tile.scales[g]));
    }
    for (int i = 0; i < 8; ++i) {
      const __m256i x_sums = _mm256_set1_epi32(load_4_bytes(x.sums + 2 * i));
      excess = _mm256_add_epi32(excess, _mm256_madd_epi16(x_sums, tile.scale_pairs[i]));
    }
    return add_scaled(acc, tile.d, x.d, _mm256_sub_epi32(sum, _mm256_slli_epi32(excess, 5)));
  }
};

}  // namespace

void matmul_q6_k_avx2(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
