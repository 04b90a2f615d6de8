#pragma once

#include "ops/operands.h"

namespace minfer {

// Gate and up projections and their SwiGLU in one pass. Fused from two MatMul nodes of the same x and a
// SwiGLU.
//   inputs: x (n_tokens, k); weights gate (n_ff, k), up (n_ff, k)
//   output: (n_tokens, n_ff) of type `output`: silu(gate . x) * (up . x)
struct FusedFFN {
  static constexpr std::string_view kName = "FusedFFN";
  DType output = DType::kF32;
  bool operator==(const FusedFFN&) const = default;
};

TensorDesc infer(const FusedFFN& op, const Operands& operands);

}  // namespace minfer
