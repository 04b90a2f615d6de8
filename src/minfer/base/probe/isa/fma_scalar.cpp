// What the baseline can do: a product and a sum, one value at a time.
#include "base/probe/fma_probe.h"

namespace minfer {
namespace {

constexpr int kAccumulators = 8;  // one a cycle and more, each ready after three or four

inline float add_product(float sum, float a, float b) {
#if defined(__x86_64__)
  asm volatile("" : "+x"(a));  // else the compiler computes the product once
#elif defined(__aarch64__)
  asm volatile("" : "+w"(a));
#endif
  return sum + a * b;
}

float run(long iterations) {
  const float a = 3.0f, b = 5.0f;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
  for (long i = 0; i < iterations; ++i) {
    s0 = add_product(s0, a, b);
    s1 = add_product(s1, a, b);
    s2 = add_product(s2, a, b);
    s3 = add_product(s3, a, b);
    s4 = add_product(s4, a, b);
    s5 = add_product(s5, a, b);
    s6 = add_product(s6, a, b);
    s7 = add_product(s7, a, b);
  }
  return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
}

}  // namespace

const FmaProbe kFmaProbeScalar = {"scalar", run, 2L * kAccumulators};

}  // namespace minfer
