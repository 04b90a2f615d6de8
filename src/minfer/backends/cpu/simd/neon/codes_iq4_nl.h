// The codes of a block of IQ4_NL: see matmul_blocks32.h.
#pragma once

#include "backends/cpu/simd/neon/iq4_values.h"

namespace minfer {
namespace {

struct CodesIQ4_NL {
  using Block = BlockIQ4_NL;
  static constexpr bool kHasMin = false;

  static void load(const std::uint8_t* block, int8x16_t q[2]) {
    look_up_nibbles(block + offsetof(Block, qs), q);
  }
};

}  // namespace
}  // namespace minfer
