#include "ops/matmul.h"

#include "base/check.h"

namespace minfer {

TensorDesc infer(const MatMul&, const Operands& operands) {
  check_operand_count(MatMul::kName, operands, 1, 1);
  const TensorDesc& x = operands.inputs[0];
  const TensorDesc& w = operands.weights[0];
  MINFER_CHECK(is_activation_dtype(x.dtype), "MatMul: x has type {}", dtype_name(x.dtype));
  MINFER_CHECK(x.shape.cols() == w.shape.cols(), "MatMul: x {} does not fit weight {}", to_string(x.shape),
               to_string(w.shape));
  return {DType::kF32, Shape{w.shape.rows(), x.shape.rows()}};
}

}  // namespace minfer
