#pragma once

#include "ops/operands.h"

namespace minfer {

// Sum of two tensors of equal shape, or of each row with a weight vector (a bias, a gain).
//   inputs: x F32 (n_rows, n) and y F32 (n_rows, n), or x and weight F32 (n)
//   output: F32, as x
struct Add {
  static constexpr std::string_view kName = "Add";
  static constexpr int kInPlaceInput = 0;  // the output may take over this input's buffer
  bool operator==(const Add&) const = default;
};

TensorDesc infer(const Add& op, const Operands& operands);

}  // namespace minfer
