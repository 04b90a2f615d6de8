#include "backends/cpu/simd/scalar/matmul.h"
#include "backends/cpu/simd/scalar/matmul_floats.h"

namespace minfer {
namespace {

struct Format {
  static constexpr std::size_t kElementBytes = 2;

  static F32x16 load(const std::uint8_t* source) {
    std::uint32_t bits[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      std::uint16_t half;
      std::memcpy(&half, source + 2 * i, sizeof(half));
      bits[i] = std::uint32_t{half} << 16;
    }
    F32x16 result;
    std::memcpy(result.lane, bits, sizeof(bits));
    return result;
  }

  static F32x16 load_partial(const std::uint8_t* source, int n) {
    std::uint8_t padded[kLanes * kElementBytes] = {};
    std::memcpy(padded, source, static_cast<std::size_t>(n) * kElementBytes);
    return load(padded);
  }
};

}  // namespace

void matmul_bf16_scalar(const MatMulRows& m) { matmul_floats<Format>(m); }

}  // namespace minfer
