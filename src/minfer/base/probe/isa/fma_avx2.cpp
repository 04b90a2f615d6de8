#include <immintrin.h>

#include "base/probe/fma_probe.h"

namespace minfer {
namespace {

constexpr int kLanes = 8;
constexpr int kAccumulators = 10;  // two a cycle, each ready after four or five

// The instructions are written out: of intrinsics the compiler would merge equal ones.
float run(long iterations) {
  const __m256 a = _mm256_set1_ps(3.0f);
  const __m256 b = _mm256_set1_ps(5.0f);
  __m256 s0 = _mm256_set1_ps(0.0f), s1 = s0, s2 = s0, s3 = s0, s4 = s0;
  __m256 s5 = s0, s6 = s0, s7 = s0, s8 = s0, s9 = s0;
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
        : "+x"(s0), "+x"(s1), "+x"(s2), "+x"(s3), "+x"(s4), "+x"(s5), "+x"(s6), "+x"(s7), "+x"(s8), "+x"(s9)
        : "x"(a), "x"(b));
  }
  const __m256 low = _mm256_add_ps(_mm256_add_ps(s0, s1), _mm256_add_ps(s2, s3));
  const __m256 high = _mm256_add_ps(_mm256_add_ps(s4, s5), _mm256_add_ps(s6, s7));
  return _mm256_cvtss_f32(_mm256_add_ps(_mm256_add_ps(low, high), _mm256_add_ps(s8, s9)));
}

}  // namespace

const FmaProbe kFmaProbeAvx2 = {"avx2 vfmadd", run, 2L * kLanes* kAccumulators};

}  // namespace minfer
