#include <arm_neon.h>

#include "base/probe/int8_probe.h"

namespace minfer {
namespace {

constexpr int kProducts = 32;  // of an instruction
constexpr int kAccumulators = 10;

// The instructions are written out: of intrinsics the compiler would merge equal ones.
int run(long iterations) {
  const int8x16_t a = vdupq_n_s8(3);
  const int8x16_t b = vdupq_n_s8(5);
  int32x4_t s0 = vdupq_n_s32(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0;
  int32x4_t s5 = s0, s6 = s0, s7 = s0, s8 = s0, s9 = s0;
  for (long i = 0; i < iterations; ++i) {
    asm volatile(
        "smmla %0.4s, %10.16b, %11.16b\n\t"
        "smmla %1.4s, %10.16b, %11.16b\n\t"
        "smmla %2.4s, %10.16b, %11.16b\n\t"
        "smmla %3.4s, %10.16b, %11.16b\n\t"
        "smmla %4.4s, %10.16b, %11.16b\n\t"
        "smmla %5.4s, %10.16b, %11.16b\n\t"
        "smmla %6.4s, %10.16b, %11.16b\n\t"
        "smmla %7.4s, %10.16b, %11.16b\n\t"
        "smmla %8.4s, %10.16b, %11.16b\n\t"
        "smmla %9.4s, %10.16b, %11.16b"
        : "+w"(s0), "+w"(s1), "+w"(s2), "+w"(s3), "+w"(s4), "+w"(s5), "+w"(s6), "+w"(s7), "+w"(s8), "+w"(s9)
        : "w"(a), "w"(b));
  }
  const int32x4_t low = vaddq_s32(vaddq_s32(s0, s1), vaddq_s32(s2, s3));
  const int32x4_t high = vaddq_s32(vaddq_s32(s4, s5), vaddq_s32(s6, s7));
  return vgetq_lane_s32(vaddq_s32(vaddq_s32(low, high), vaddq_s32(s8, s9)), 0);
}

}  // namespace

const Int8Probe kInt8ProbeNeonI8mm = {"neon_i8mm smmla", run, 2L * kProducts* kAccumulators};

}  // namespace minfer
