#pragma once

#include "ops/operands.h"

namespace minfer {

// Rounds float rows to the activation rows that integer dot products read (quant/activation_row.h). Put in by
// a lowering pass where a backend's matrix product asks for it, and shared by all consumers of the row.
//   inputs: x F32 (n_rows, n); output: (n_rows, n) of type `output`
struct Quantize {
  static constexpr std::string_view kName = "Quantize";
  DType output = DType::kQ8Row32;
  bool operator==(const Quantize&) const = default;
};

TensorDesc infer(const Quantize& op, const Operands& operands);

}  // namespace minfer
