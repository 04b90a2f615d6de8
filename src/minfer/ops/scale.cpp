#include "ops/scale.h"

namespace minfer {

TensorDesc infer(const Scale&, const Operands& operands) {
  check_operand_count(Scale::kName, operands, 1, 0);
  check_dtype(Scale::kName, "x", operands.inputs[0].dtype, DType::kF32);
  return operands.inputs[0];
}

}  // namespace minfer
