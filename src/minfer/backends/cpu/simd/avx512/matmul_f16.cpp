#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_floats.h"

namespace minfer {
namespace {

struct Format {
  static constexpr std::size_t kElementBytes = 2;

  static F32x16 load(const std::uint8_t* source) {
    return {_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(source)))};
  }

  static F32x16 load_partial(const std::uint8_t* source, int n) {
    return {_mm512_cvtph_ps(_mm256_maskz_loadu_epi16(lane_mask(n), source))};
  }
};

}  // namespace

void matmul_f16_avx512(const MatMulRows& m) { matmul_floats<Format>(m); }

}  // namespace minfer
