// What the scalar kernels do: widen two int8 values, multiply, add.
#include "base/probe/int8_probe.h"

namespace minfer {
namespace {

constexpr int kAccumulators = 4;  // only the sum is a chain, of one cycle

inline unsigned add_product(unsigned sum, int a, int b) {  // which may wrap
  asm volatile("" : "+r"(a), "+r"(b));                     // else the compiler computes the product once
  return sum + static_cast<unsigned>(static_cast<signed char>(a) * static_cast<signed char>(b));
}

int run(long iterations) {
  unsigned s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (long i = 0; i < iterations; ++i) {
    s0 = add_product(s0, 3, 5);
    s1 = add_product(s1, 3, 5);
    s2 = add_product(s2, 3, 5);
    s3 = add_product(s3, 3, 5);
  }
  return static_cast<int>(s0 + s1 + s2 + s3);
}

}  // namespace

const Int8Probe kInt8ProbeScalar = {"scalar", run, 2L * kAccumulators};

}  // namespace minfer
