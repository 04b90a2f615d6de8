// The formulas that several ops are made of. Sums run in double; results are rounded to float once.
#pragma once

#include <span>

#include "ops/rope.h"

namespace minfer::reference {

// Sum over i of a[i] * b[i].
float dot(std::span<const float> a, std::span<const float> b);

// x / (1 + exp(-x))
double silu(double x);

// out = x / sqrt(mean(x^2) + eps) * weight. `out` may be `x`.
void rms_norm(std::span<const float> x, std::span<const float> weight, float eps, std::span<float> out);

// Rotates the pairs of a head in place by a row of a RopeTable (cosines, then sines).
void rotate(RopeStyle style, std::span<const float> table, std::span<float> head);

}  // namespace minfer::reference
