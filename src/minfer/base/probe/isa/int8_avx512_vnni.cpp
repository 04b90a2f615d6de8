#include <immintrin.h>

#include "base/probe/int8_probe.h"

namespace minfer {
namespace {

constexpr int kBytes = 64;
constexpr int kAccumulators = 10;  // two a cycle, each ready after five, is the most that any CPU does

// The instructions are written out: of intrinsics the compiler would merge equal ones.
int run(long iterations) {
  const __m512i a = _mm512_set1_epi8(3);
  const __m512i b = _mm512_set1_epi8(5);
  __m512i s0 = _mm512_setzero_si512(), s1 = s0, s2 = s0, s3 = s0, s4 = s0;
  __m512i s5 = s0, s6 = s0, s7 = s0, s8 = s0, s9 = s0;
  for (long i = 0; i < iterations; ++i) {
    asm volatile(
        "vpdpbusd %10, %11, %0\n\t"
        "vpdpbusd %10, %11, %1\n\t"
        "vpdpbusd %10, %11, %2\n\t"
        "vpdpbusd %10, %11, %3\n\t"
        "vpdpbusd %10, %11, %4\n\t"
        "vpdpbusd %10, %11, %5\n\t"
        "vpdpbusd %10, %11, %6\n\t"
        "vpdpbusd %10, %11, %7\n\t"
        "vpdpbusd %10, %11, %8\n\t"
        "vpdpbusd %10, %11, %9"
        : "+v"(s0), "+v"(s1), "+v"(s2), "+v"(s3), "+v"(s4), "+v"(s5), "+v"(s6), "+v"(s7), "+v"(s8), "+v"(s9)
        : "v"(a), "v"(b));
  }
  const __m512i low = _mm512_add_epi32(_mm512_add_epi32(s0, s1), _mm512_add_epi32(s2, s3));
  const __m512i high = _mm512_add_epi32(_mm512_add_epi32(s4, s5), _mm512_add_epi32(s6, s7));
  int lanes[16];
  _mm512_storeu_si512(lanes, _mm512_add_epi32(_mm512_add_epi32(low, high), _mm512_add_epi32(s8, s9)));
  return lanes[0];
}

}  // namespace

const Int8Probe kInt8ProbeAvx512Vnni = {"avx512_vnni vpdpbusd", run, 2L * kBytes* kAccumulators};

}  // namespace minfer
