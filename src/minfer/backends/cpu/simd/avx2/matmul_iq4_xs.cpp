#include "quant/iq4_xs.h"

#include <cstddef>

#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_iq4.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockIQ4_XS;
  static constexpr std::size_t kGroup = 256;
  struct Tile {
    __m256i q[64];
    __m256i scales[8];  // of a group of 32 codes: column_scale
    __m256 d;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    for (int g = 0; g < 8; ++g)
      look_up_nibbles(rows, offsetof(Block, qs) + static_cast<std::size_t>(16 * g), tile.q + 8 * g);
    __m256i head[4];  // d and scales_h in the first four bytes, scales_l in the next
    load_columns(rows, 0, head);
    for (int g = 0; g < 8; ++g) tile.scales[g] = scale_of(head, g);
    tile.d = load_scales(rows, offsetof(Block, d));
  }

  static __m256i scale_of(const __m256i head[4], int g) {
    const __m256i low = _mm256_and_si256(_mm256_srli_epi32(head[1], 4 * g), _mm256_set1_epi32(15));
    const __m256i high = _mm256_and_si256(_mm256_srli_epi32(head[0], 12 + 2 * g), _mm256_set1_epi32(0x30));
    const __m256i scale = _mm256_or_si256(low, high);
    const __m256i twice = _mm256_or_si256(scale, _mm256_slli_epi32(scale, 16));
    return column_scale(_mm256_sub_epi16(twice, _mm256_set1_epi16(32)));
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    __m256i sum = _mm256_setzero_si256();
    for (int g = 0; g < 8; ++g)
      sum = add_scaled_signed_columns<8>(sum, tile.q + 8 * g, x.q + 32 * g, tile.scales[g]);
    return add_scaled(acc, tile.d, x.d, sum);
  }
};

}  // namespace

void MINFER_AVX2_TIER::matmul_iq4_xs(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
