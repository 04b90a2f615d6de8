#include <arm_neon.h>

#include "base/probe/fma_probe.h"

namespace minfer {
namespace {

constexpr int kLanes = 4;
constexpr int kAccumulators = 10;

// The instructions are written out: of intrinsics the compiler would merge equal ones.
float run(long iterations) {
  const float32x4_t a = vdupq_n_f32(3.0f);
  const float32x4_t b = vdupq_n_f32(5.0f);
  float32x4_t s0 = vdupq_n_f32(0.0f), s1 = s0, s2 = s0, s3 = s0, s4 = s0;
  float32x4_t s5 = s0, s6 = s0, s7 = s0, s8 = s0, s9 = s0;
  for (long i = 0; i < iterations; ++i) {
    asm volatile(
        "fmla %0.4s, %10.4s, %11.4s\n\t"
        "fmla %1.4s, %10.4s, %11.4s\n\t"
        "fmla %2.4s, %10.4s, %11.4s\n\t"
        "fmla %3.4s, %10.4s, %11.4s\n\t"
        "fmla %4.4s, %10.4s, %11.4s\n\t"
        "fmla %5.4s, %10.4s, %11.4s\n\t"
        "fmla %6.4s, %10.4s, %11.4s\n\t"
        "fmla %7.4s, %10.4s, %11.4s\n\t"
        "fmla %8.4s, %10.4s, %11.4s\n\t"
        "fmla %9.4s, %10.4s, %11.4s"
        : "+w"(s0), "+w"(s1), "+w"(s2), "+w"(s3), "+w"(s4), "+w"(s5), "+w"(s6), "+w"(s7), "+w"(s8), "+w"(s9)
        : "w"(a), "w"(b));
  }
  const float32x4_t low = vaddq_f32(vaddq_f32(s0, s1), vaddq_f32(s2, s3));
  const float32x4_t high = vaddq_f32(vaddq_f32(s4, s5), vaddq_f32(s6, s7));
  return vgetq_lane_f32(vaddq_f32(vaddq_f32(low, high), vaddq_f32(s8, s9)), 0);
}

}  // namespace

const FmaProbe kFmaProbeNeon = {"neon fmla", run, 2L * kLanes* kAccumulators};

}  // namespace minfer
