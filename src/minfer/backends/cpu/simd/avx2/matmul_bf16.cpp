#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_floats.h"

namespace minfer {
namespace {

struct Format {
  static constexpr std::size_t kElementBytes = 2;

  static F32x16 load(const std::uint8_t* source) {
    const auto* halves = reinterpret_cast<const __m128i*>(source);
    return {widen(_mm_loadu_si128(halves)), widen(_mm_loadu_si128(halves + 1))};
  }

  static __m256 widen(__m128i halves) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
  }

  static F32x16 load_partial(const std::uint8_t* source, int n) {
    std::uint8_t padded[kLanes * kElementBytes] = {};
    std::memcpy(padded, source, static_cast<std::size_t>(n) * kElementBytes);
    return load(padded);
  }
};

}  // namespace

void avx2::matmul_bf16(const MatMulRows& m) { matmul_floats<Format>(m); }

}  // namespace minfer
