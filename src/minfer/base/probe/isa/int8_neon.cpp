// Without SDOT an int8 dot product takes three instructions for 16 values: products of the lower and of the upper eight
// in 16 bits, and their sums in pairs.
#include <arm_neon.h>

#include "base/probe/int8_probe.h"

namespace minfer {
namespace {

constexpr int kBytes = 16;
constexpr int kAccumulators = 4;  // only the sum is a chain

inline int32x4_t add_products(int32x4_t sum, int8x16_t a, int8x16_t b) {
  asm volatile("" : "+w"(a));  // else the compiler computes the products once
  return vpadalq_s16(sum, vmlal_high_s8(vmull_s8(vget_low_s8(a), vget_low_s8(b)), a, b));
}

int run(long iterations) {
  const int8x16_t a = vdupq_n_s8(3);
  const int8x16_t b = vdupq_n_s8(5);
  int32x4_t s0 = vdupq_n_s32(0), s1 = s0, s2 = s0, s3 = s0;
  for (long i = 0; i < iterations; ++i) {
    s0 = add_products(s0, a, b);
    s1 = add_products(s1, a, b);
    s2 = add_products(s2, a, b);
    s3 = add_products(s3, a, b);
  }
  return vgetq_lane_s32(vaddq_s32(vaddq_s32(s0, s1), vaddq_s32(s2, s3)), 0);
}

}  // namespace

const Int8Probe kInt8ProbeNeon = {"neon smull", run, 2L * kBytes* kAccumulators};

}  // namespace minfer
