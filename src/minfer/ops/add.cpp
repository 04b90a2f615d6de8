#include "ops/add.h"

namespace minfer {

TensorDesc infer(const Add&, const Operands& operands) {
  const bool with_weight = operands.weights.size() == 1;
  check_operand_count(Add::kName, operands, with_weight ? 1 : 2, with_weight ? 1 : 0);
  const TensorDesc& x = operands.inputs[0];
  check_dtype(Add::kName, "x", x.dtype, DType::kF32);
  if (with_weight) {
    check_shape(Add::kName, "weight", operands.weights[0].shape, Shape{x.shape.cols()});
  } else {
    check_dtype(Add::kName, "y", operands.inputs[1].dtype, DType::kF32);
    check_shape(Add::kName, "y", operands.inputs[1].shape, x.shape);
  }
  return x;
}

}  // namespace minfer
