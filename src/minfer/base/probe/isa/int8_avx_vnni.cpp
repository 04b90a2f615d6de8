#include <immintrin.h>

#include "base/probe/int8_probe.h"

namespace minfer {
namespace {

constexpr int kAccumulators = 12;  // two a cycle, each ready after five: ten are needed
constexpr int kBytes = 32;

int run(long iterations) {
  __m256i sums[kAccumulators] = {};
  __m256i a = _mm256_set1_epi8(3);
  const __m256i b = _mm256_set1_epi8(5);
  for (long i = 0; i < iterations; ++i) {
    for (__m256i& sum : sums) {
      asm volatile("" : "+x"(a));
      sum = _mm256_dpbusd_avx_epi32(sum, a, b);
    }
  }
  __m256i total = sums[0];
  for (int i = 1; i < kAccumulators; ++i) total = _mm256_add_epi32(total, sums[i]);
  return _mm256_extract_epi32(total, 0);
}

}  // namespace

const Int8Probe kInt8ProbeAvxVnni = {"avx_vnni vpdpbusd", run, 2 * kBytes* kAccumulators};

}  // namespace minfer
