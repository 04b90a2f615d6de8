// What the scalar kernels do: widen two int8 values, multiply, add. The compiler may not fold the loop, as it cannot
// see through the asm statements.
#include "base/probe/int8_probe.h"

namespace minfer {
namespace {

constexpr int kAccumulators = 8;

int run(long iterations) {
  unsigned sums[kAccumulators] = {};  // which may wrap
  int a = 3;
  int b = 5;
  for (long i = 0; i < iterations; ++i) {
    for (unsigned& sum : sums) {
      asm volatile("" : "+r"(a), "+r"(b), "+r"(sum));
      sum += static_cast<unsigned>(static_cast<signed char>(a) * static_cast<signed char>(b));
    }
  }
  unsigned total = 0;
  for (const unsigned sum : sums) total += sum;
  return static_cast<int>(total);
}

}  // namespace

const Int8Probe kInt8ProbeScalar = {"scalar", run, 2 * kAccumulators};

}  // namespace minfer
