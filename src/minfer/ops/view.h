#pragma once

#include "ops/operands.h"

namespace minfer {

// Rows first_row .. first_row + n_rows - 1 of the input, without a copy: the output aliases the input's
// bytes.
//   inputs: x (m, n) of any type; output: (n_rows, n)
struct View {
  static constexpr std::string_view kName = "View";
  static constexpr bool kAliases = true;  // the output is memory of input 0
  std::int64_t first_row = 0;
  std::int64_t n_rows = 0;
  bool operator==(const View&) const = default;
};

TensorDesc infer(const View& op, const Operands& operands);

}  // namespace minfer
