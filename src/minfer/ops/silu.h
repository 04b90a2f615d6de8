#pragma once

#include "ops/operands.h"

namespace minfer {

// x / (1 + exp(-x)), element by element. inputs: x F32; output: F32, as x
struct Silu {
  static constexpr std::string_view kName = "Silu";
  static constexpr int kInPlaceInput = 0;  // the output may take over this input's buffer
  bool operator==(const Silu&) const = default;
};

TensorDesc infer(const Silu& op, const Operands& operands);

}  // namespace minfer
