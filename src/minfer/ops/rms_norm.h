#pragma once

#include "ops/operands.h"

namespace minfer {

// Root mean square norm of each row: out = x / sqrt(mean(x^2) + eps) * weight (arXiv 1910.07467).
//   inputs: x F32 (n_rows, n); weight F32 (n)
//   output: (n_rows, n) of type `output`: F32, or an activation row type when the Quantize that follows is
//           fused
struct RmsNorm {
  static constexpr std::string_view kName = "RmsNorm";
  static constexpr int kInPlaceInput = 0;  // the output may take over this input's buffer
  float eps = 0;
  DType output = DType::kF32;
  bool operator==(const RmsNorm&) const = default;
};

TensorDesc infer(const RmsNorm& op, const Operands& operands);

}  // namespace minfer
