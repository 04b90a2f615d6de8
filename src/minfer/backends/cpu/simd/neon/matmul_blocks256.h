// The integer product of the types with blocks of 256 codes, in kSubs groups with an integer scale each. A Codes256
// type has
//   Block                      the packed struct of quant/, with a scale d
//   kSubs                      8 or 16
//   kHasMin                    whether groups have minimums, with a scale dmin
//   void load(const std::uint8_t* block, int8x16_t q[16])
//   void load_scales(const std::uint8_t* block, SubScales<kSubs>&)
#pragma once

#include "backends/cpu/simd/neon/k_scales.h"
#include "backends/cpu/simd/neon/matmul_words.h"

namespace minfer {
namespace {

// Sum of scale * codes * activations, in four parts.
template <int kSubs>
inline int32x4_t dot_groups(const int8x16_t (&q)[16], const std::int32_t (&scales)[kSubs],
                            const std::int8_t* x) {
  constexpr int kVectors = 16 / kSubs;  // of a group
  int32x4_t total = vdupq_n_s32(0);
#pragma GCC unroll 16
  for (int s = 0; s < kSubs; ++s) {
    int32x4_t sum = vdupq_n_s32(0);
#pragma GCC unroll 2
    for (int i = kVectors * s; i < kVectors * (s + 1); ++i) sum = add_dot(sum, q[i], vld1q_s8(x + 16 * i));
    total = vmlaq_n_s32(total, sum, scales[s]);
  }
  return total;
}

// The sums of the activations of each group, from those of 16 activations.
template <int kSubs>
inline void load_group_sums(const std::int16_t* sums_of_16, int16x8_t (&sums)[kSubs / 8]) {
  const int16x8_t low = vld1q_s16(sums_of_16);
  const int16x8_t high = vld1q_s16(sums_of_16 + 8);
  if constexpr (kSubs == 16) {
    sums[0] = low;
    sums[1] = high;
  } else {
    sums[0] = vpaddq_s16(low, high);
  }
}

// Sum of minimum * activations, in four parts.
template <int kSubs>
inline int32x4_t dot_minimums(const int16x8_t (&mins)[kSubs / 8], const int16x8_t (&sums)[kSubs / 8]) {
  int32x4_t total = vdupq_n_s32(0);
  for (int i = 0; i < kSubs / 8; ++i) {
    total = vmlal_s16(total, vget_low_s16(mins[i]), vget_low_s16(sums[i]));
    total = vmlal_high_s16(total, mins[i], sums[i]);
  }
  return total;
}

template <int kSubs>
inline void store_scales(const int16x8_t (&scales)[kSubs / 8], std::int32_t (&target)[kSubs]) {
  for (int i = 0; i < kSubs / 8; ++i) {
    vst1q_s32(target + 8 * i, vmovl_s16(vget_low_s16(scales[i])));
    vst1q_s32(target + 8 * i + 4, vmovl_high_s16(scales[i]));
  }
}

template <class Codes256>
struct Format256 {
  using Block = typename Codes256::Block;
  static constexpr std::size_t kGroup = 256;
  static constexpr int kSubs = Codes256::kSubs;

  template <int kTokens>
  static inline void add_block(const BlockRows& rows, const ActivationBlock (&x)[kTokens],
                               Lanes (&acc)[kTokens]) {
    int32x4_t sums[kTokens][kRows];
    int32x4_t min_sums[kTokens][kRows];
// The codes of one row take half of the registers.
#pragma GCC unroll 1
    for (int r = 0; r < kRows; ++r) {
      int8x16_t q[16];
      SubScales<kSubs> s;
      std::int32_t scales[kSubs];
      Codes256::load(rows.row[r], q);
      Codes256::load_scales(rows.row[r], s);
      store_scales<kSubs>(s.scales, scales);
#pragma GCC unroll 4
      for (int t = 0; t < kTokens; ++t) {
        sums[t][r] = dot_groups<kSubs>(q, scales, x[t].q);
        if constexpr (Codes256::kHasMin) {
          int16x8_t x_sums[kSubs / 8];
          load_group_sums<kSubs>(x[t].sums, x_sums);
          min_sums[t][r] = dot_minimums<kSubs>(s.mins, x_sums);
        }
      }
    }
    finish(rows, x, sums, min_sums, acc);
  }

  template <int kTokens>
  static inline void finish(const BlockRows& rows, const ActivationBlock (&x)[kTokens],
                            const int32x4_t (&sums)[kTokens][kRows],
                            [[maybe_unused]] const int32x4_t (&min_sums)[kTokens][kRows],
                            Lanes (&acc)[kTokens]) {
    const float32x4_t d = load_halves(rows, offsetof(Block, d));
#pragma GCC unroll 4
    for (int t = 0; t < kTokens; ++t) {
      acc[t] = add_scaled(acc[t], d, x[t].d, add_across(sums[t]));
      if constexpr (Codes256::kHasMin)
        acc[t] = subtract_scaled(acc[t], load_halves(rows, offsetof(Block, dmin)), x[t].d,
                                 add_across(min_sums[t]));
    }
  }
};

}  // namespace
}  // namespace minfer
