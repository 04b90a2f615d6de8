#pragma once

#include "ops/operands.h"

namespace minfer {

// Product with a weight matrix: out[t][r] = sum over k of x[t][k] * weight[r][k].
//   inputs: x (n_tokens, k), F32 or an activation row type; weight (n_out, k) of any quantization
//   output: F32 (n_tokens, n_out)
struct MatMul {
  static constexpr std::string_view kName = "MatMul";
  bool operator==(const MatMul&) const = default;
};

TensorDesc infer(const MatMul& op, const Operands& operands);

}  // namespace minfer
