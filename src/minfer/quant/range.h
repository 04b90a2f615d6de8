// Extremes of a group of values, as the encoders need them.
#pragma once

#include <cmath>
#include <limits>

namespace minfer {

// The first value of the largest magnitude, with its sign; 0 for a group of zeros.
inline float extreme_value(const float* values, int n) {
  float magnitude = 0.0f;
  float extreme = 0.0f;
  for (int i = 0; i < n; ++i) {
    if (std::fabs(values[i]) > magnitude) {
      magnitude = std::fabs(values[i]);
      extreme = values[i];
    }
  }
  return extreme;
}

struct ValueRange {
  float min = std::numeric_limits<float>::max();
  float max = std::numeric_limits<float>::lowest();
};

inline ValueRange value_range(const float* values, int n) {
  ValueRange range;
  for (int i = 0; i < n; ++i) {
    if (values[i] < range.min) range.min = values[i];
    if (values[i] > range.max) range.max = values[i];
  }
  return range;
}

}  // namespace minfer
