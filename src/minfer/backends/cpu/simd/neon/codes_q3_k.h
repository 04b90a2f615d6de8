// The codes and scales of a block of Q3_K: see matmul_blocks256.h.
#pragma once

#include "backends/cpu/simd/neon/k_scales.h"
#include "backends/cpu/simd/neon/two_bits.h"
#include "quant/q3_k.h"

namespace minfer {
namespace {

struct CodesQ3_K {
  using Block = BlockQ3_K;
  static constexpr int kSubs = 16;
  static constexpr bool kHasMin = false;

  static void load(const std::uint8_t* block, int8x16_t q[16]) {
    uint8x16_t codes[16];
    load_2_bits(block + offsetof(Block, qs), codes);
    const std::uint8_t* mask = block + offsetof(Block, hmask);
    const uint8x16_t third[2] = {vld1q_u8(mask), vld1q_u8(mask + 16)};
    // Bit g of a byte belongs to the codes 32g .. 32g + 31.
    for (int i = 0; i < 16; ++i) q[i] = centered(or_masked(codes[i], shift(third[i % 2], 2 - i / 2), 4), 4);
  }

  static void load_scales(const std::uint8_t* block, SubScales<16>& s) {
    std::uint32_t word[3];
    std::memcpy(word, block + offsetof(Block, scales), sizeof(word));
    constexpr std::uint32_t kFour = 0x0f0f0f0f;
    const auto top = [&](int pair) { return (word[2] >> 2 * pair & 0x03030303) << 4; };
    s.scales[0] = less_32(bytes_of((word[0] & kFour) | top(0), (word[1] & kFour) | top(1)));
    s.scales[1] = less_32(bytes_of((word[0] >> 4 & kFour) | top(2), (word[1] >> 4 & kFour) | top(3)));
  }
};

}  // namespace
}  // namespace minfer
