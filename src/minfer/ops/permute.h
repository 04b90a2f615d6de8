#pragma once

#include <array>

#include "ops/operands.h"

namespace minfer {

// Reorders dimensions, copying: output dimension i is input dimension order[i] (innermost first).
//   inputs: x F32; output: F32
struct Permute {
  static constexpr std::string_view kName = "Permute";
  std::array<int, kMaxRank> order{0, 1, 2, 3};
  bool operator==(const Permute&) const = default;
};

TensorDesc infer(const Permute& op, const Operands& operands);

}  // namespace minfer
