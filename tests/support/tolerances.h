// Named tolerances of op cases: what a result may differ by because the same value was rounded on either side of a
// step.
#pragma once

namespace minfer::test {

// One step of an int8 value, relative to the largest value of its row (1 / 127), with the rounding of its scale.
inline constexpr double kEightBitStep = 0.0085;

// Attention on q8_0 cells may multiply keys with a query that was itself rounded to int8.
inline constexpr double kPackedAttention = 0.03;

}  // namespace minfer::test
