// What IQ4_NL and IQ4_XS share: codes of four bits that stand for values of a table.
#pragma once

#include "backends/cpu/simd/neon/matmul_words.h"
#include "quant/iq4_nl.h"

namespace minfer {
namespace {

// The values of the 32 codes in 16 bytes.
inline void look_up_nibbles(const std::uint8_t* packed, int8x16_t q[2]) {
  const int8x16_t table = vld1q_s8(kIq4NlValues);
  const uint8x16_t bytes = vld1q_u8(packed);
  q[0] = vqtbl1q_s8(table, low_nibbles(bytes));
  q[1] = vqtbl1q_s8(table, high_nibbles(bytes));
}

}  // namespace
}  // namespace minfer
