#pragma once

#include "ops/operands.h"

namespace minfer {

// x * factor, element by element. inputs: x F32; output: F32, as x
struct Scale {
  static constexpr std::string_view kName = "Scale";
  static constexpr int kInPlaceInput = 0;  // the output may take over this input's buffer
  float factor = 1;
  bool operator==(const Scale&) const = default;
};

TensorDesc infer(const Scale& op, const Operands& operands);

}  // namespace minfer
