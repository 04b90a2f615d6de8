#include <immintrin.h>

#include "base/probe/int8_probe.h"

namespace minfer {
namespace {

constexpr int kAccumulators = 12;  // two a cycle, each ready after five: ten are needed
constexpr int kBytes = 64;

int run(long iterations) {
  __m512i sums[kAccumulators] = {};
  __m512i a = _mm512_set1_epi8(3);
  const __m512i b = _mm512_set1_epi8(5);
  for (long i = 0; i < iterations; ++i) {
    for (__m512i& sum : sums) {
      asm volatile("" : "+v"(a));
      sum = _mm512_dpbusd_epi32(sum, a, b);
    }
  }
  __m512i total = sums[0];
  for (int i = 1; i < kAccumulators; ++i) total = _mm512_add_epi32(total, sums[i]);
  int lanes[16];
  _mm512_storeu_si512(lanes, total);
  return lanes[0];
}

}  // namespace

const Int8Probe kInt8ProbeAvx512Vnni = {"avx512_vnni vpdpbusd", run, 2 * kBytes* kAccumulators};

}  // namespace minfer
