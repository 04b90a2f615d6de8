// Without VNNI an int8 dot product takes three instructions: products in pairs (vpmaddubsw), pairs to int32
// (vpmaddwd), the sum.
#include <immintrin.h>

#include "base/probe/int8_probe.h"

namespace minfer {
namespace {

constexpr int kBytes = 32;
constexpr int kAccumulators = 4;  // only the sum is a chain, of one cycle

inline __m256i add_products(__m256i sum, __m256i a, __m256i b) {
  asm volatile("" : "+x"(a));  // else the compiler computes the products once
  return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), _mm256_set1_epi16(1)));
}

int run(long iterations) {
  const __m256i a = _mm256_set1_epi8(3);
  const __m256i b = _mm256_set1_epi8(5);
  __m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0;
  for (long i = 0; i < iterations; ++i) {
    s0 = add_products(s0, a, b);
    s1 = add_products(s1, a, b);
    s2 = add_products(s2, a, b);
    s3 = add_products(s3, a, b);
  }
  return _mm256_extract_epi32(_mm256_add_epi32(_mm256_add_epi32(s0, s1), _mm256_add_epi32(s2, s3)), 0);
}

}  // namespace

const Int8Probe kInt8ProbeAvx2 = {"avx2 vpmaddubsw", run, 2L * kBytes* kAccumulators};

}  // namespace minfer
