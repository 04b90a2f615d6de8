// exp and silu on 16 lanes. Included after a words.h.
//
// exp(x) = 2^n * e^r with n = round(x / ln 2) and r = x - n ln 2, |r| <= ln 2 / 2 (ln 2 as the sum of two
// floats: Cody and Waite). e^r = 1 + r + r^2 * q(r), q of degree 4 with the least maximum relative error
// (3.1e-9, found with the Remez algorithm and rounded to float). Within 2 units in the last place; exactly 1
// at 0; 0 below ln(2^-126), so that no result is subnormal; infinite above ln of the largest float; NaN only
// for NaN.
#pragma once

namespace minfer {
namespace {

// e^x without its special cases: right from ln(2^-126) up to ln of the largest float.
inline F32x16 exp_in_range(F32x16 x) {
  const F32x16 integer_shift =
      broadcast(0x1.8p+23f);  // added to x, leaves round(x) in the low bits of the pattern
  const F32x16 t = fma(x, broadcast(0x1.715476p+0f), integer_shift);  // 1 / ln 2
  const F32x16 n = sub(t, integer_shift);
  F32x16 r = fma(n, broadcast(-0x1.62e43p-1f), x);
  r = fma(n, broadcast(0x1.05c61p-29f), r);
  F32x16 p = broadcast(0x1.6a23dp-10f);
  p = fma(p, r, broadcast(0x1.123a2p-7f));
  p = fma(p, r, broadcast(0x1.5558f2p-5f));
  p = fma(p, r, broadcast(0x1.555492p-3f));
  p = fma(p, r, broadcast(0x1.fffffcp-2f));
  p = fma(p, r, broadcast(1.0f));
  p = fma(p, r, broadcast(1.0f));
  return add_to_exponent(p, t);
}

inline F32x16 exp(F32x16 x) {
  const F32x16 lowest = broadcast(-0x1.5d589ep+6f);  // the smallest float above ln(2^-126) = -87.336545
  const F32x16 highest = broadcast(0x1.62e42ep+6f);  // the largest one below ln(2^128) = 88.722839
  const F32x16 overflowed = mul(x, broadcast(__builtin_inff()));  // infinite, or the NaN of x
  const F32x16 at_most = select_less_equal(x, highest, exp_in_range(x), overflowed);
  return select_less(x, lowest, zeros(), at_most);
}

// The same for x <= 0; NaN for anything else.
inline F32x16 exp_of_negative(F32x16 x) {
  const F32x16 at_most_0 = select_less_equal(x, zeros(), exp_in_range(x), broadcast(__builtin_nanf("")));
  return select_less(x, broadcast(-0x1.5d589ep+6f), zeros(), at_most_0);
}

// x / (1 + e^-x); -0 where e^-x is infinite.
inline F32x16 silu(F32x16 x) { return div(x, add(broadcast(1.0f), exp(negate(x)))); }

}  // namespace
}  // namespace minfer
