// What Q4_K and Q5_K share: a super-block of 256 values in 8 groups of 32,
//   value j = d * scale[j / 32] * code[j] - dmin * min[j / 32]
// and the encoder that finds scales, minimums and codes. It follows ggml's reference encoder step by step
// (the search of make_qkx2_quants in https://github.com/ggml-org/ggml/blob/master/src/ggml-quants.c), because
// every float operation, and its order, decides about bits of the file.
#pragma once

#include <cstdint>

namespace minfer {

// The inverse scales that are tried for a group: (max_code + first + step * i) / range, i in 0..n_steps.
struct AffineSearch {
  int max_code;
  float first;
  float step;
  int n_steps;
};

struct AffineSuperBlock {
  std::uint16_t d;          // float16
  std::uint16_t dmin;       // float16
  std::uint8_t scales[8];   // 0..63
  std::uint8_t mins[8];     // 0..63
  std::uint8_t codes[256];  // 0..max_code
};

void encode_affine(const float* values, const AffineSearch& search, AffineSuperBlock& out);
void decode_affine(const AffineSuperBlock& block, float* values);

}  // namespace minfer
