#pragma once

#include "ops/operands.h"

namespace minfer {

// The same bytes under another shape of as many elements; the output aliases the input.
struct Reshape {
  static constexpr std::string_view kName = "Reshape";
  static constexpr bool kAliases = true;  // the output is memory of input 0
  Shape shape;
  bool operator==(const Reshape&) const = default;
};

TensorDesc infer(const Reshape& op, const Operands& operands);

}  // namespace minfer
