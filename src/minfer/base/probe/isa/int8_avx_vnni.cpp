#include <immintrin.h>

#include "base/probe/int8_probe.h"

namespace minfer {
namespace {

constexpr int kBytes = 32;
constexpr int kAccumulators = 10;  // two a cycle, each ready after five, is the most that any CPU does

// The instructions are written out: of intrinsics the compiler would merge equal ones.
int run(long iterations) {
  const __m256i a = _mm256_set1_epi8(3);
  const __m256i b = _mm256_set1_epi8(5);
  __m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0, s4 = s0;
  __m256i s5 = s0, s6 = s0, s7 = s0, s8 = s0, s9 = s0;
  for (long i = 0; i < iterations; ++i) {
    asm volatile(
        "%{vex%} vpdpbusd %10, %11, %0\n\t"
        "%{vex%} vpdpbusd %10, %11, %1\n\t"
        "%{vex%} vpdpbusd %10, %11, %2\n\t"
        "%{vex%} vpdpbusd %10, %11, %3\n\t"
        "%{vex%} vpdpbusd %10, %11, %4\n\t"
        "%{vex%} vpdpbusd %10, %11, %5\n\t"
        "%{vex%} vpdpbusd %10, %11, %6\n\t"
        "%{vex%} vpdpbusd %10, %11, %7\n\t"
        "%{vex%} vpdpbusd %10, %11, %8\n\t"
        "%{vex%} vpdpbusd %10, %11, %9"
        : "+x"(s0), "+x"(s1), "+x"(s2), "+x"(s3), "+x"(s4), "+x"(s5), "+x"(s6), "+x"(s7), "+x"(s8), "+x"(s9)
        : "x"(a), "x"(b));
  }
  const __m256i low = _mm256_add_epi32(_mm256_add_epi32(s0, s1), _mm256_add_epi32(s2, s3));
  const __m256i high = _mm256_add_epi32(_mm256_add_epi32(s4, s5), _mm256_add_epi32(s6, s7));
  int lanes[8];
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes),
                      _mm256_add_epi32(_mm256_add_epi32(low, high), _mm256_add_epi32(s8, s9)));
  return lanes[0];
}

}  // namespace

const Int8Probe kInt8ProbeAvxVnni = {"avx_vnni vpdpbusd", run, 2L * kBytes* kAccumulators};

}  // namespace minfer
