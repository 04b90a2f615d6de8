#include "backends/cpu/ops/sin_cos.h"

#include <cstdint>

namespace minfer {
namespace {

// pi / 2 in three parts. The first two have 22 significant bits, so that their products with an integer below
// 2^31 are exact (W. J. Cody, W. Waite: Software Manual for the Elementary Functions, 1980).
constexpr double kHalfPi1 = 0x1.921fbp+0;
constexpr double kHalfPi2 = 0x1.5110bp-22;
constexpr double kHalfPi3 = 0x1.18469898cc517p-44;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr double kIntegerShift = 0x1.8p+52;  // added and taken away again, rounds to an integer

// Taylor series on |r| <= pi / 4: what is left out is below 1e-16.
double sine_series(double r) {
  const double x = r * r;
  double sum = -1.0 / 1307674368000;
  sum = sum * x + 1.0 / 6227020800;
  sum = sum * x - 1.0 / 39916800;
  sum = sum * x + 1.0 / 362880;
  sum = sum * x - 1.0 / 5040;
  sum = sum * x + 1.0 / 120;
  sum = sum * x - 1.0 / 6;
  return r + r * x * sum;
}

double cosine_series(double r) {
  const double x = r * r;
  double sum = 1.0 / 20922789888000;
  sum = sum * x - 1.0 / 87178291200;
  sum = sum * x + 1.0 / 479001600;
  sum = sum * x - 1.0 / 3628800;
  sum = sum * x + 1.0 / 40320;
  sum = sum * x - 1.0 / 720;
  sum = sum * x + 1.0 / 24;
  sum = sum * x - 1.0 / 2;
  return 1.0 + x * sum;
}

}  // namespace

SinCos sin_cos(double angle) {
  if (!(angle > -0x1p32 && angle < 0x1p32)) return {angle - angle, angle - angle};
  const double quarters = (angle * kTwoOverPi + kIntegerShift) - kIntegerShift;
  const double r = ((angle - quarters * kHalfPi1) - quarters * kHalfPi2) - quarters * kHalfPi3;
  const double sine = sine_series(r);
  const double cosine = cosine_series(r);
  switch (static_cast<std::int64_t>(quarters) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace minfer
