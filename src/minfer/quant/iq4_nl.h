// IQ4_NL: 32 values in 18 bytes, 4.5 bits a weight; the 16 codes stand for unevenly spaced values.
//   value j = d * kIq4NlValues[q[j]]
// Source: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (block_iq4_nl, kvalues_iq4nl)
#pragma once

#include <cstdint>

namespace minfer {

constexpr std::int8_t kIq4NlValues[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                          1,    13,   25,  38,  53,  69,  89,  113};

struct BlockIQ4_NL {
  static constexpr int kValues = 32;
  std::uint16_t d;      // scale, float16
  std::uint8_t qs[16];  // byte j: q[j] in the low nibble, q[j + 16] in the high one
};
static_assert(sizeof(BlockIQ4_NL) == 18);

}  // namespace minfer
