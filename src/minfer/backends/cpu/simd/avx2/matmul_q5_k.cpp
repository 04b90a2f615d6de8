#include <cstddef>

#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_k_affine.h"
#include "quant/q5_k.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ5_K;
  static constexpr std::size_t kGroup = 256;
  using Tile = KAffineTile;

  static void unpack(const BlockRows& rows, Tile& tile) {
    unpack_k_scales(rows, tile);
    unpack_k_nibbles(rows, offsetof(Block, qs), tile);
    for (int half = 0; half < 2; ++half) {
      __m256i bits[4];
      load_columns(rows, offsetof(Block, qh) + 16 * static_cast<std::size_t>(half), bits);
      for (int i = 0; i < 4; ++i) add_fifth_bit(bits[i], tile.q + 4 * half + i);
    }
  }

  // Bit g of each byte is the fifth bit of a code of group g; q points into the first group.
  static void add_fifth_bit(__m256i bits, __m256i* q) {
    const __m256i sixteen = _mm256_set1_epi8(16);
    q[0] = _mm256_or_si256(q[0], _mm256_and_si256(_mm256_slli_epi16(bits, 4), sixteen));
    q[8] = _mm256_or_si256(q[8], _mm256_and_si256(_mm256_slli_epi16(bits, 3), sixteen));
    q[16] = _mm256_or_si256(q[16], _mm256_and_si256(_mm256_slli_epi16(bits, 2), sixteen));
    q[24] = _mm256_or_si256(q[24], _mm256_and_si256(_mm256_slli_epi16(bits, 1), sixteen));
    q[32] = _mm256_or_si256(q[32], _mm256_and_si256(bits, sixteen));
    q[40] = _mm256_or_si256(q[40], _mm256_and_si256(_mm256_srli_epi16(bits, 1), sixteen));
    q[48] = _mm256_or_si256(q[48], _mm256_and_si256(_mm256_srli_epi16(bits, 2), sixteen));
    q[56] = _mm256_or_si256(q[56], _mm256_and_si256(_mm256_srli_epi16(bits, 3), sixteen));
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    return dot_k_affine<5>(tile, x, acc);
  }
};

}  // namespace

void MINFER_AVX2_TIER::matmul_q5_k(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
