#include <cstddef>

#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_words.h"
#include "quant/q8_0.h"

namespace minfer {
namespace {

struct Format {
  using Block = BlockQ8_0;
  static constexpr std::size_t kGroup = 32;
  struct Tile {
    __m256i q[8];
    __m256i magnitude[8];  // |q|, 128 for -128
    __m256 d;
  };

  static void unpack(const BlockRows& rows, Tile& tile) {
    load_columns(rows, offsetof(Block, qs), tile.q);
    load_columns(rows, offsetof(Block, qs) + 16, tile.q + 4);
    for (int i = 0; i < 8; ++i) tile.magnitude[i] = _mm256_abs_epi8(tile.q[i]);
    tile.d = load_scales(rows, offsetof(Block, d));
  }

  static Lanes dot(const Tile& tile, const ActivationBlock& x, Lanes acc) {
    __m256i sum = _mm256_setzero_si256();
    for (int i = 0; i < 8; ++i) sum = add_signed_column(sum, tile.magnitude[i], tile.q[i], x.q + 4 * i);
    return add_scaled(acc, tile.d, x.d, sum);
  }
};

}  // namespace

void MINFER_AVX2_TIER::matmul_q8_0(const MatMulRows& m) { matmul_blocks<Format>(m); }

}  // namespace minfer
