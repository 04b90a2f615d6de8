// exp and silu against the standard library in double precision.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "backends/cpu/node_runner.h"
#include "base/cpu_features.h"

namespace minfer::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kSmallestNormal = std::numeric_limits<float>::min();

std::vector<const CpuKernels*> kernel_tables() {
  std::vector<const CpuKernels*> tables;
  for (const CpuIsa isa : usable_isas(detect_cpu_features())) tables.push_back(&cpu_kernels(isa));
  return tables;
}

float exp_of(const CpuKernels& kernels, float x) {
  float result;
  kernels.exp_row(&x, &result, 1);
  return result;
}

// A float every `stride` patterns, of both signs; infinities and NaN left out.
std::vector<float> sample_floats(std::uint32_t stride) {
  std::vector<float> values;
  for (std::uint32_t bits = 0; bits < 0x7f800000u; bits += stride) {
    values.push_back(std::bit_cast<float>(bits));
    values.push_back(std::bit_cast<float>(bits | 0x80000000u));
  }
  return values;
}

double ulp(double value) {
  const float rounded = std::max(std::fabs(static_cast<float>(value)), kSmallestNormal);
  return static_cast<double>(std::nextafterf(rounded, kInf)) - static_cast<double>(rounded);
}

TEST(Exp, WithinTwoUnitsInTheLastPlace) {
  const std::vector<float> x = sample_floats(997);
  for (const CpuKernels* kernels : kernel_tables()) {
    std::vector<float> y(x.size());
    kernels->exp_row(x.data(), y.data(), static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double exact = std::exp(static_cast<double>(x[i]));
      if (exact < static_cast<double>(kSmallestNormal)) {
        ASSERT_TRUE(y[i] == 0.0f || y[i] == kSmallestNormal) << x[i];
      } else if (exact > static_cast<double>(std::numeric_limits<float>::max())) {
        ASSERT_EQ(y[i], kInf) << x[i];
      } else {
        ASSERT_LE(std::fabs(static_cast<double>(y[i]) - exact), 2 * ulp(exact)) << x[i];
      }
    }
  }
}

TEST(Exp, Limits) {
  for (const CpuKernels* kernels : kernel_tables()) {
    EXPECT_EQ(exp_of(*kernels, 0.0f), 1.0f);
    EXPECT_EQ(exp_of(*kernels, -0.0f), 1.0f);
    EXPECT_EQ(exp_of(*kernels, kInf), kInf);
    EXPECT_EQ(exp_of(*kernels, -kInf), 0.0f);
    EXPECT_EQ(exp_of(*kernels, 88.8f), kInf);
    EXPECT_EQ(exp_of(*kernels, -87.4f), 0.0f);
    EXPECT_TRUE(std::isnan(exp_of(*kernels, std::nanf(""))));
    EXPECT_TRUE(std::isnan(exp_of(*kernels, std::bit_cast<float>(0xffffffffu))));
    for (const float end : {-87.336544f, 88.722839f}) {  // the steps around both ends of the range
      float x = end;
      for (int i = 0; i < 8; ++i) x = std::nextafterf(x, -kInf);
      for (int i = 0; i < 16; ++i, x = std::nextafterf(x, kInf)) {
        const double exact = std::exp(static_cast<double>(x));
        const float y = exp_of(*kernels, x);
        const bool flushed = y == 0.0f && exact <= static_cast<double>(kSmallestNormal) * (1 + 1e-5);
        const bool infinite = y == kInf && exact >= static_cast<double>(std::numeric_limits<float>::max());
        EXPECT_TRUE(flushed || infinite || std::fabs(static_cast<double>(y) - exact) <= 2 * ulp(exact)) << x;
      }
    }
  }
}

TEST(Exp, SiluIsAccurateAndFinite) {
  const std::vector<float> x = sample_floats(4999);
  for (const CpuKernels* kernels : kernel_tables()) {
    std::vector<float> y(x.size());
    kernels->silu_row(x.data(), y.data(), static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double exact = static_cast<double>(x[i]) / (1.0 + std::exp(-static_cast<double>(x[i])));
      const double bound = x[i] < -88.7f ? 1e-36 : 4 * ulp(exact);  // exp(-x) is infinite there
      ASSERT_LE(std::fabs(static_cast<double>(y[i]) - exact), bound) << x[i];
    }
  }
}

}  // namespace
}  // namespace minfer::test
