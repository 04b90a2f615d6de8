#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_floats.h"

namespace minfer {
namespace {

struct Format {
  static constexpr std::size_t kElementBytes = 2;

  static F32x16 load(const std::uint8_t* source) {
    return widen(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(source)));
  }

  static F32x16 load_partial(const std::uint8_t* source, int n) {
    return widen(_mm256_maskz_loadu_epi16(lane_mask(n), source));
  }

  static F32x16 widen(__m256i halves) {
    return {_mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16))};
  }
};

}  // namespace

void matmul_bf16_avx512(const MatMulRows& m) { matmul_floats<Format>(m); }

}  // namespace minfer
