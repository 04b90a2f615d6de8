// Without VNNI an int8 dot product takes three instructions: products in pairs (vpmaddubsw), pairs to int32
// (vpmaddwd), the sum.
#include <immintrin.h>

#include "base/probe/int8_probe.h"

namespace minfer {
namespace {

constexpr int kAccumulators = 8;  // more than the latency of the chain needs
constexpr int kBytes = 32;

int run(long iterations) {
  __m256i sums[kAccumulators] = {};
  __m256i a = _mm256_set1_epi8(3);
  const __m256i b = _mm256_set1_epi8(5);
  const __m256i ones = _mm256_set1_epi16(1);
  for (long i = 0; i < iterations; ++i) {
    for (__m256i& sum : sums) {
      asm volatile("" : "+x"(a));  // else the product moves out of the loop
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), ones));
    }
  }
  __m256i total = sums[0];
  for (int i = 1; i < kAccumulators; ++i) total = _mm256_add_epi32(total, sums[i]);
  return _mm256_extract_epi32(total, 0);
}

}  // namespace

const Int8Probe kInt8ProbeAvx2 = {"avx2 vpmaddubsw", run, 2 * kBytes* kAccumulators};

}  // namespace minfer
