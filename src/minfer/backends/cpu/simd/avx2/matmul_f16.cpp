#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_floats.h"

namespace minfer {
namespace {

struct Format {
  static constexpr std::size_t kElementBytes = 2;

  static F32x16 load(const std::uint8_t* source) {
    const auto* halves = reinterpret_cast<const __m128i*>(source);
    return {_mm256_cvtph_ps(_mm_loadu_si128(halves)), _mm256_cvtph_ps(_mm_loadu_si128(halves + 1))};
  }

  static F32x16 load_partial(const std::uint8_t* source, int n) {
    std::uint8_t padded[kLanes * kElementBytes] = {};
    std::memcpy(padded, source, static_cast<std::size_t>(n) * kElementBytes);
    return load(padded);
  }
};

}  // namespace

void avx2::matmul_f16(const MatMulRows& m) { matmul_floats<Format>(m); }

}  // namespace minfer
