#include "backends/cpu/simd/avx2/matmul.h"
#include "backends/cpu/simd/avx2/matmul_floats.h"

namespace minfer {
namespace {

struct Format {
  static constexpr std::size_t kElementBytes = 4;

  static F32x16 load(const std::uint8_t* source) {
    return minfer::load(reinterpret_cast<const float*>(source));
  }

  static F32x16 load_partial(const std::uint8_t* source, int n) {
    std::uint8_t padded[kLanes * kElementBytes] = {};
    std::memcpy(padded, source, static_cast<std::size_t>(n) * kElementBytes);
    return load(padded);
  }
};

}  // namespace

void avx2::matmul_f32(const MatMulRows& m) { matmul_floats<Format>(m); }

}  // namespace minfer
