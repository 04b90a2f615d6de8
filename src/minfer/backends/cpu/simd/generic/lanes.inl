// Walking a row in words of 16 lanes.
#pragma once

namespace minfer {
namespace {

// Calls function(first, count) for each 16 values of [0, n); the last count may be less.
template <typename Function>
inline void for_words(std::int64_t n, Function function) {
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) function(i, kLanes);
  if (i < n) function(i, static_cast<int>(n - i));
}

inline F32x16 load_n(const float* source, int n, float fill = 0.0f) {
  return n == kLanes ? load(source) : load_partial(source, n, fill);
}
inline void store_n(float* target, F32x16 a, int n) {
  if (n == kLanes) {
    store(target, a);
  } else {
    store_partial(target, a, n);
  }
}

}  // namespace
}  // namespace minfer
