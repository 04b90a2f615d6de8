#include "backends/cpu/ops/sin_cos.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace minfer {
namespace {

void expect_accurate(double angle) {
  const SinCos result = sin_cos(angle);
  const double bound = 1e-15 + 4e-17 * std::fabs(angle);
  EXPECT_NEAR(result.sine, std::sin(angle), bound) << angle;
  EXPECT_NEAR(result.cosine, std::cos(angle), bound) << angle;
}

TEST(SinCos, AgreesWithTheStandardLibrary) {
  std::mt19937_64 engine(1);
  for (const double range : {1.0, 100.0, 5e4, 2147483647.0}) {
    std::uniform_real_distribution<double> angles(-range, range);
    for (int i = 0; i < 20000; ++i) expect_accurate(angles(engine));
  }
  for (int quarter = -9; quarter <= 9; ++quarter) expect_accurate(quarter * 1.5707963267948966);
}

TEST(SinCos, IsExactAtZeroAndNanWhereThereIsNoAngle) {
  EXPECT_EQ(sin_cos(0.0).sine, 0.0);
  EXPECT_EQ(sin_cos(0.0).cosine, 1.0);
  EXPECT_TRUE(std::isnan(sin_cos(std::numeric_limits<double>::infinity()).sine));
  EXPECT_TRUE(std::isnan(sin_cos(std::nan("")).cosine));
}

}  // namespace
}  // namespace minfer
