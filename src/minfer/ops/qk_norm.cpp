#include "ops/qk_norm.h"

#include "base/check.h"

namespace minfer {

TensorDesc infer(const QkNorm& op, const Operands& operands) {
  check_operand_count(QkNorm::kName, operands, 1, 1);
  const TensorDesc& x = operands.inputs[0];
  check_dtype(QkNorm::kName, "x", x.dtype, DType::kF32);
  check_shape(QkNorm::kName, "weight", operands.weights[0].shape, Shape{op.head_dim});
  MINFER_CHECK(op.head_dim > 0 && x.shape.cols() % op.head_dim == 0, "QkNorm: {} values in heads of {}",
               x.shape.cols(), op.head_dim);
  return x;
}

}  // namespace minfer
