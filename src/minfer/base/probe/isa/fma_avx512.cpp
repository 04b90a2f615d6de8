#include <immintrin.h>

#include "base/probe/fma_probe.h"

namespace minfer {
namespace {

constexpr int kLanes = 16;
constexpr int kAccumulators = 10;  // two a cycle, each ready after four or five

// The instructions are written out: of intrinsics the compiler would merge equal ones.
float run(long iterations) {
  const __m512 a = _mm512_set1_ps(3.0f);
  const __m512 b = _mm512_set1_ps(5.0f);
  __m512 s0 = _mm512_set1_ps(0.0f), s1 = s0, s2 = s0, s3 = s0, s4 = s0;
  __m512 s5 = s0, s6 = s0, s7 = s0, s8 = s0, s9 = s0;
  for (long i = 0; i < iterations; ++i) {
    asm volatile(
        "vfmadd231ps %10, %11, %0\n\t"
        "vfmadd231ps %10, %11, %1\n\t"
        "vfmadd231ps %10, %11, %2\n\t"
        "vfmadd231ps %10, %11, %3\n\t"
        "vfmadd231ps %10, %11, %4\n\t"
        "vfmadd231ps %10, %11, %5\n\t"
        "vfmadd231ps %10, %11, %6\n\t"
        "vfmadd231ps %10, %11, %7\n\t"
        "vfmadd231ps %10, %11, %8\n\t"
        "vfmadd231ps %10, %11, %9"
        : "+v"(s0), "+v"(s1), "+v"(s2), "+v"(s3), "+v"(s4), "+v"(s5), "+v"(s6), "+v"(s7), "+v"(s8), "+v"(s9)
        : "v"(a), "v"(b));
  }
  const __m512 low = _mm512_add_ps(_mm512_add_ps(s0, s1), _mm512_add_ps(s2, s3));
  const __m512 high = _mm512_add_ps(_mm512_add_ps(s4, s5), _mm512_add_ps(s6, s7));
  return _mm512_cvtss_f32(_mm512_add_ps(_mm512_add_ps(low, high), _mm512_add_ps(s8, s9)));
}

}  // namespace

const FmaProbe kFmaProbeAvx512 = {"avx512 vfmadd", run, 2L * kLanes* kAccumulators};

}  // namespace minfer
