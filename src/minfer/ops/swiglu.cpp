#include "ops/swiglu.h"

namespace minfer {

TensorDesc infer(const SwiGLU& op, const Operands& operands) {
  check_operand_count(SwiGLU::kName, operands, 2, 0);
  check_shape(SwiGLU::kName, "up", operands.inputs[1].shape, operands.inputs[0].shape);
  return {op.output, operands.inputs[0].shape};
}

}  // namespace minfer
