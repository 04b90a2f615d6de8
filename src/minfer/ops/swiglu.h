#pragma once

#include "ops/operands.h"

namespace minfer {

// silu(gate) * up, element by element (arXiv 2002.05202). Fused from Silu and Mul.
//   inputs: gate F32 (n_rows, n), up F32 (n_rows, n)
//   output: (n_rows, n) of type `output`: F32, or an activation row type when the Quantize that follows is
//   fused
struct SwiGLU {
  static constexpr std::string_view kName = "SwiGLU";
  static constexpr int kInPlaceInput = 0;  // the output may take over this input's buffer
  DType output = DType::kF32;
  bool operator==(const SwiGLU&) const = default;
};

TensorDesc infer(const SwiGLU& op, const Operands& operands);

}  // namespace minfer
