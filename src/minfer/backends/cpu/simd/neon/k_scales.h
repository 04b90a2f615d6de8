// The integer scales, and for some types minimums, of the groups in a block of 256 codes.
#pragma once

#include "backends/cpu/simd/neon/matmul_words.h"

namespace minfer {
namespace {

template <int kSubs>
struct SubScales {
  int16x8_t scales[kSubs / 8];
  int16x8_t mins[kSubs / 8];
};

inline int16x8_t widen(uint8x8_t bytes) { return vreinterpretq_s16_u16(vmovl_u8(bytes)); }
inline int16x8_t less_32(uint8x8_t bytes) { return vsubq_s16(widen(bytes), vdupq_n_s16(32)); }
inline uint8x8_t bytes_of(std::uint32_t low, std::uint32_t high) {
  return vcreate_u8(std::uint64_t{high} << 32 | low);
}

// Q4_K and Q5_K: quant/k_scales.h.
inline void load_k_scales(const std::uint8_t packed[12], SubScales<8>& s) {
  std::uint32_t word[3];
  std::memcpy(word, packed, sizeof(word));
  constexpr std::uint32_t kSix = 0x3f3f3f3f, kFour = 0x0f0f0f0f, kTop = 0x30303030;
  s.scales[0] = widen(bytes_of(word[0] & kSix, (word[2] & kFour) | (word[0] >> 2 & kTop)));
  s.mins[0] = widen(bytes_of(word[1] & kSix, (word[2] >> 4 & kFour) | (word[1] >> 2 & kTop)));
}

}  // namespace
}  // namespace minfer
