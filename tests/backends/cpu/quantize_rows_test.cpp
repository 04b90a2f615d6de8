// The quantizers of each instruction set against the scalar codecs in quant/, byte for byte.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "backends/cpu/simd/isa.h"
#include "base/cpu_features.h"
#include "quant/activation_row.h"
#include "quant/traits.h"

namespace minfer::test {
namespace {

constexpr std::int64_t kN = 1024;

// Rows of ordinary values, of values on ties, of arbitrary patterns, and with single oddities.
std::vector<float> draw_row(std::mt19937& engine) {
  std::normal_distribution<float> normal;
  std::vector<float> row(kN);
  const unsigned kind = engine() % 6;
  const float scale = std::ldexp(1.0f, static_cast<int>(engine() % 280) - 150);
  for (float& x : row) {
    if (kind < 3) x = normal(engine) * scale;
    if (kind == 3)
      x = static_cast<float>(static_cast<int>(engine() % 509) - 254) / 2;  // amax 127: ties at every .5
    if (kind == 4) x = std::bit_cast<float>(static_cast<std::uint32_t>(engine()));
    if (kind == 5) x = engine() % 50 ? 0.0f : normal(engine);
  }
  constexpr float kOddities[] = {std::numeric_limits<float>::infinity(),  -0.0f, 0x1p-149f, 0x1.fffffep+127f,
                                 std::numeric_limits<float>::quiet_NaN(), 127.0f};
  if (engine() % 2) row[engine() % kN] = kOddities[engine() % std::size(kOddities)];
  // Two values of the largest magnitude and opposite signs: the first one decides the sign of a Q8_K scale.
  if (engine() % 4 == 0) row[5] = 1e30f, row[200] = -1e30f, row[256 + 9] = -1e30f, row[256 + 10] = 1e30f;
  return row;
}

// The planes of an activation row without the padding between them.
std::vector<std::byte> planes(const std::vector<std::byte>& row, std::size_t group, std::size_t sum_width) {
  std::vector<std::byte> result;
  const auto append = [&](std::size_t offset, std::size_t bytes) {
    for (std::size_t i = offset; i < offset + bytes; ++i) result.push_back(row[i]);
  };
  append(0, kN);
  append(activation_scales_offset(kN), kN / group * sizeof(float));
  append(activation_sums_offset(kN, group), kN / sum_width * sizeof(std::int16_t));
  return result;
}

TEST(QuantizeRows, EqualTheScalarEncoders) {
  for (const CpuIsa isa : usable_isas(detect_cpu_features())) {
    SCOPED_TRACE(isa_name(isa));
    const CpuKernels& kernels = cpu_kernels(isa);
    std::mt19937 engine(5);
    for (int round = 0; round < 2000; ++round) {
      const std::vector<float> x = draw_row(engine);
      std::vector<std::byte> ours(row_bytes(DType::kQ8Row32, kN)), theirs(ours.size());
      kernels.quantize_row_32(x.data(), ours.data(), kN);
      encode_q8_row32(x.data(), theirs.data(), kN);
      ASSERT_EQ(planes(ours, 32, 32), planes(theirs, 32, 32)) << "row32, round " << round;

      ours.assign(row_bytes(DType::kQ8Row256, kN), std::byte{});
      theirs = ours;
      kernels.quantize_row_256(x.data(), ours.data(), kN);
      encode_q8_row256(x.data(), theirs.data(), kN);
      ASSERT_EQ(planes(ours, 256, 16), planes(theirs, 256, 16)) << "row256, round " << round;

      ours.assign(row_bytes(DType::kQ8_0, kN), std::byte{});
      theirs = ours;
      kernels.encode_q8_0(x.data(), ours.data(), kN);
      quant_traits(DType::kQ8_0).encode(x.data(), theirs.data(), kN);
      ASSERT_EQ(ours, theirs) << "q8_0, round " << round;
    }
  }
}

}  // namespace
}  // namespace minfer::test
