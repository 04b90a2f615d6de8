// What IQ4_NL and IQ4_XS share: codes of four bits that stand for values of a table.
#pragma once

#include "backends/cpu/simd/scalar/matmul_words.h"
#include "quant/iq4_nl.h"

namespace minfer {
namespace {

// The 32 values of 16 bytes.
inline void look_up_nibbles(const std::uint8_t packed[16], std::int8_t values[32]) {
  unpack_nibbles(packed, 16, values);
  for (int j = 0; j < 32; ++j) values[j] = kIq4NlValues[values[j]];
}

}  // namespace
}  // namespace minfer
