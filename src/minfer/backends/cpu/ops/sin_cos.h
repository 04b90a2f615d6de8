// Sine and cosine in double precision with the same bits on every machine: additions and multiplications in
// one order, no math library (whose results depend on its version and on the processor).
#pragma once

namespace minfer {

struct SinCos {
  double sine;
  double cosine;
};

// Absolute error below 1e-15 plus 4e-17 * |angle|, for |angle| <= 2^31 (NaN for NaN and infinity).
SinCos sin_cos(double angle);

}  // namespace minfer
