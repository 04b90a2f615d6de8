#include "ops/softmax.h"

namespace minfer {

TensorDesc infer(const Softmax&, const Operands& operands) {
  check_operand_count(Softmax::kName, operands, 1, 0);
  check_dtype(Softmax::kName, "x", operands.inputs[0].dtype, DType::kF32);
  return operands.inputs[0];
}

}  // namespace minfer
