// The two ways of quantizing a group of values to int8, behind the formats Q8_0, Q8_1 (groups of 32), Q8_K
// (groups of 256) and the planar activation rows. Kernels that do the same with SIMD must give the same bits:
//   32:  d = max|x| / 127, inverse = 1 / d, q = round(x * inverse), ties away from zero
//   256: inverse = -127 / m, q = nearest(x * inverse), ties to even, d = 1 / inverse,
//        with m the first value of the largest magnitude, so that m itself is -127
// all in float32, each operation rounded. Exceptions, in both: where max|x| is 0, or so small that the
// inverse is infinite, d for 32 stays max|x| / 127, d for 256 is 0, and every q is 0. Where a value is not
// finite, d is NaN and every q is 0: a dot product then shows it.
#pragma once

#include <cstdint>

namespace minfer {

// Both return d as float32, not yet rounded to the type that a format stores.
float quantize_group_32(const float* values, std::int8_t* q);
float quantize_group_256(const float* values, std::int8_t* q);

}  // namespace minfer
