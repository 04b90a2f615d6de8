#pragma once

#include "ops/operands.h"

namespace minfer {

// RMS norm of each head of a projection, as Qwen3 applies to queries and keys.
//   inputs: x F32 (n_tokens, n_head * head_dim); weight F32 (head_dim)
//   output: F32, as x
struct QkNorm {
  static constexpr std::string_view kName = "QkNorm";
  static constexpr int kInPlaceInput = 0;  // the output may take over this input's buffer
  int head_dim = 0;
  float eps = 0;
  bool operator==(const QkNorm&) const = default;
};

TensorDesc infer(const QkNorm& op, const Operands& operands);

}  // namespace minfer
