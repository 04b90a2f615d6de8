#pragma once

#include "ops/operands.h"

namespace minfer {

// Softmax of each row. inputs: x F32 (n_rows, n); output: F32, as x
struct Softmax {
  static constexpr std::string_view kName = "Softmax";
  static constexpr int kInPlaceInput = 0;  // the output may take over this input's buffer
  bool operator==(const Softmax&) const = default;
};

TensorDesc infer(const Softmax& op, const Operands& operands);

}  // namespace minfer
