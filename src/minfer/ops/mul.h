#pragma once

#include "ops/operands.h"

namespace minfer {

// Product of two tensors of equal shape, or of each row with a weight vector (a bias, a gain).
//   inputs: x F32 (n_rows, n) and y F32 (n_rows, n), or x and weight F32 (n)
//   output: F32, as x
struct Mul {
  static constexpr std::string_view kName = "Mul";
  static constexpr int kInPlaceInput = 0;  // the output may take over this input's buffer
  bool operator==(const Mul&) const = default;
};

TensorDesc infer(const Mul& op, const Operands& operands);

}  // namespace minfer
