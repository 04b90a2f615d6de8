#pragma once

#include "ops/operands.h"

namespace minfer {

// A projection added to the residual stream: out[t][r] = residual[t][r] + sum over k of x[t][k] * weight[r][k], the sum
// rounded before it is added. Fused from a MatMul and an Add.
//   inputs: x (n_tokens, k), F32 or an activation row type; residual F32 (n_tokens, n_out); weight (n_out, k)
//   output: F32 (n_tokens, n_out)
struct MatMulAdd {
  static constexpr std::string_view kName = "MatMulAdd";
  static constexpr int kInPlaceInput = 1;  // the output may take over this input's buffer
  bool operator==(const MatMulAdd&) const = default;
};

TensorDesc infer(const MatMulAdd& op, const Operands& operands);

}  // namespace minfer
