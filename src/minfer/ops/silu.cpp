#include "ops/silu.h"

namespace minfer {

TensorDesc infer(const Silu&, const Operands& operands) {
  check_operand_count(Silu::kName, operands, 1, 0);
  check_dtype(Silu::kName, "x", operands.inputs[0].dtype, DType::kF32);
  return operands.inputs[0];
}

}  // namespace minfer
