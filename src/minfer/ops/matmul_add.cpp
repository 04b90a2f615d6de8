#include "ops/matmul_add.h"

#include "base/check.h"

namespace minfer {

TensorDesc infer(const MatMulAdd&, const Operands& operands) {
  check_operand_count(MatMulAdd::kName, operands, 2, 1);
  const TensorDesc& x = operands.inputs[0];
  const TensorDesc& residual = operands.inputs[1];
  const TensorDesc& w = operands.weights[0];
  MINFER_CHECK(is_activation_dtype(x.dtype), "MatMulAdd: x has type {}", dtype_name(x.dtype));
  MINFER_CHECK(x.shape.cols() == w.shape.cols(), "MatMulAdd: x {} does not fit weight {}", to_string(x.shape),
               to_string(w.shape));
  check_dtype(MatMulAdd::kName, "residual", residual.dtype, DType::kF32);
  check_shape(MatMulAdd::kName, "residual", residual.shape, Shape{w.shape.rows(), x.shape.rows()});
  return residual;
}

}  // namespace minfer
