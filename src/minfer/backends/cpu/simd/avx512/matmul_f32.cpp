#include "backends/cpu/simd/avx512/matmul.h"
#include "backends/cpu/simd/avx512/matmul_floats.h"

namespace minfer {
namespace {

struct Format {
  static constexpr std::size_t kElementBytes = 4;

  static F32x16 load(const std::uint8_t* source) { return {_mm512_loadu_ps(source)}; }

  static F32x16 load_partial(const std::uint8_t* source, int n) {
    return {_mm512_maskz_loadu_ps(lane_mask(n), source)};
  }
};

}  // namespace

void matmul_f32_avx512(const MatMulRows& m) { matmul_floats<Format>(m); }

}  // namespace minfer
