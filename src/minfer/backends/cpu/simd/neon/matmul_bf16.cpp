#include "backends/cpu/simd/neon/matmul.h"
#include "backends/cpu/simd/neon/matmul_floats.h"

namespace minfer {
namespace {

struct Format {
  static constexpr std::size_t kElementBytes = 2;

  static F32x16 load(const std::uint8_t* source) {
    return make_floats([&](int i) {
      const uint16x4_t halves = vld1_u16(reinterpret_cast<const std::uint16_t*>(source) + 4 * i);
      return vreinterpretq_f32_u32(vshll_n_u16(halves, 16));
    });
  }

  static F32x16 load_partial(const std::uint8_t* source, int n) {
    std::uint8_t padded[kLanes * kElementBytes] = {};
    std::memcpy(padded, source, static_cast<std::size_t>(n) * kElementBytes);
    return load(padded);
  }
};

}  // namespace

void MINFER_NEON_TIER::matmul_bf16(const MatMulRows& m) { matmul_floats<Format>(m); }

}  // namespace minfer
