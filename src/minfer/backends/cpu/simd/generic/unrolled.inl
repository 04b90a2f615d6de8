// Loops over registers.
#pragma once

// Of functions that must be part of their caller before the compiler decides what stays in registers.
#define MINFER_INLINE inline __attribute__((always_inline))
#define MINFER_INLINE_LAMBDA __attribute__((always_inline))

namespace minfer {
namespace {

// Calls function(Index<0>()) .. function(Index<n - 1>()): with the index a constant, an array that is indexed with it
// is a set of registers, which an ordinary loop does not ensure.
template <int i>
struct Index {
  static constexpr int value = i;
};
template <int n, typename Function>
MINFER_INLINE void unrolled(Function&& function) {
  if constexpr (n > 0) {
    unrolled<n - 1>(function);
    function(Index<n - 1>());
  }
}

}  // namespace
}  // namespace minfer
