#include "ops/rms_norm.h"

namespace minfer {

TensorDesc infer(const RmsNorm& op, const Operands& operands) {
  check_operand_count(RmsNorm::kName, operands, 1, 1);
  const TensorDesc& x = operands.inputs[0];
  check_dtype(RmsNorm::kName, "x", x.dtype, DType::kF32);
  check_shape(RmsNorm::kName, "weight", operands.weights[0].shape, Shape{x.shape.cols()});
  return {op.output, x.shape};
}

}  // namespace minfer
