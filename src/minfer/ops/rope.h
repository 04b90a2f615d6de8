#pragma once

#include "ops/operands.h"

namespace minfer {

enum class RopeStyle { kNeox, kInterleaved };

// Rotates the first n_dims of each head by the angles of a RopeTable.
//   inputs: x F32 (n_tokens, n_head * head_dim), table F32 (n_tokens, n_dims)
//   output: F32, as x
// Pair i is (i, i + n_dims/2) in the neox style (Qwen) and (2i, 2i + 1) in the interleaved style (Llama).
struct RoPE {
  static constexpr std::string_view kName = "RoPE";
  static constexpr int kInPlaceInput = 0;  // the output may take over this input's buffer
  RopeStyle style = RopeStyle::kNeox;
  int head_dim = 0;
  int n_dims = 0;
  bool operator==(const RoPE&) const = default;
};

TensorDesc infer(const RoPE& op, const Operands& operands);

}  // namespace minfer
