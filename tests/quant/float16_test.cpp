// Conversions against the definition of the formats, evaluated in double precision.
#include "quant/float16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace minfer {
namespace {

// The value of a finite float16, from its fields.
double value_of_half(unsigned half) {
  const int exponent = (half >> 10) & 31;
  const double mantissa = half & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

TEST(Float16, EveryHalfDecodesAndEncodesBack) {
  for (unsigned half = 0; half < 0x10000; ++half) {
    const float value = fp16_to_fp32(static_cast<std::uint16_t>(half));
    if ((half & 0x7c00) != 0x7c00) {
      ASSERT_EQ(value, value_of_half(half)) << half;
    }
    ASSERT_EQ(std::signbit(value), (half & 0x8000) != 0) << half;
    const bool is_signalling_nan = (half & 0x7c00) == 0x7c00 && (half & 0x3ff) && !(half & 0x200);
    ASSERT_EQ(fp32_to_fp16(value), half | (is_signalling_nan ? 0x200u : 0u)) << half;
  }
}

// Between each half and the next one up: below the midpoint, on it (ties to the even one), above it.
TEST(Float16, RoundsToNearestEven) {
  for (unsigned half = 0; half < 0x7c00; ++half) {
    const double next = half == 0x7bff ? 65536.0 : value_of_half(half + 1);
    const auto middle = static_cast<float>((value_of_half(half) + next) / 2);  // exact: 11 bits and one more
    for (const unsigned sign : {0u, 0x8000u}) {
      const float direction = sign ? -1.0f : 1.0f;
      ASSERT_EQ(fp32_to_fp16(direction * std::nextafter(middle, 0.0f)), sign | half) << half;
      ASSERT_EQ(fp32_to_fp16(direction * middle), sign | (half + (half & 1))) << half;
      ASSERT_EQ(fp32_to_fp16(direction * std::nextafter(middle, 1e9f)), sign | (half + 1)) << half;
    }
  }
}

TEST(Float16, SpecialValues) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(fp32_to_fp16(kInf), 0x7c00);
  EXPECT_EQ(fp32_to_fp16(-kInf), 0xfc00);
  EXPECT_EQ(fp32_to_fp16(std::numeric_limits<float>::max()), 0x7c00);
  EXPECT_EQ(fp32_to_fp16(std::numeric_limits<float>::denorm_min()), 0);
  EXPECT_EQ(fp32_to_fp16(-0.0f), 0x8000);
  EXPECT_EQ(fp32_to_fp16(bits_to_float(0x7f800001)),
            0x7e00);  // signalling, payload lost: quiet, not infinite
  EXPECT_TRUE(std::isinf(fp16_to_fp32(0x7c00)));
  EXPECT_TRUE(std::isnan(fp16_to_fp32(0x7c01)));
}

// All upper halves, with lower halves around the tie.
TEST(BFloat16, RoundsToNearestEven) {
  for (unsigned upper = 0; upper < 0x10000; ++upper) {
    const auto value = [upper](unsigned lower) { return bits_to_float(upper << 16 | lower); };
    ASSERT_EQ(float_to_bits(bf16_to_fp32(static_cast<std::uint16_t>(upper))), upper << 16);
    if ((upper & 0x7f80) == 0x7f80) continue;
    ASSERT_EQ(fp32_to_bf16(value(0)), upper);
    ASSERT_EQ(fp32_to_bf16(value(0x7fff)), upper);
    ASSERT_EQ(fp32_to_bf16(value(0x8000)), upper + (upper & 1));
    ASSERT_EQ(fp32_to_bf16(value(0x8001)), upper + 1);
  }
}

TEST(BFloat16, SpecialValues) {
  EXPECT_EQ(fp32_to_bf16(std::numeric_limits<float>::infinity()), 0x7f80);
  EXPECT_EQ(fp32_to_bf16(-std::numeric_limits<float>::infinity()), 0xff80);
  EXPECT_EQ(fp32_to_bf16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_TRUE(std::isnan(bf16_to_fp32(fp32_to_bf16(bits_to_float(0x7f800001)))));
}

}  // namespace
}  // namespace minfer
