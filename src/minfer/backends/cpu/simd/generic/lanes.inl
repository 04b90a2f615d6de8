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

// The same for float16 in memory: converted exactly when loaded, rounded to nearest even when stored.
inline F32x16 load_f16_n(const std::uint16_t* source, int n) {
  if (n == kLanes) return load_f16(source);
  std::uint16_t halves[kLanes] = {};
  for (int i = 0; i < n; ++i) halves[i] = source[i];
  return load_f16(halves);
}
inline void store_f16_n(std::uint16_t* target, F32x16 a, int n) {
  if (n == kLanes) return store_f16(target, a);
  std::uint16_t halves[kLanes];
  store_f16(halves, a);
  for (int i = 0; i < n; ++i) target[i] = halves[i];
}

}  // namespace
}  // namespace minfer
