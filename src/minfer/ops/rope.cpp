#include "ops/rope.h"

#include "base/check.h"

namespace minfer {

TensorDesc infer(const RoPE& op, const Operands& operands) {
  check_operand_count(RoPE::kName, operands, 2, 0);
  const TensorDesc& x = operands.inputs[0];
  check_dtype(RoPE::kName, "x", x.dtype, DType::kF32);
  check_shape(RoPE::kName, "table", operands.inputs[1].shape, Shape{op.n_dims, x.shape.rows()});
  MINFER_CHECK(op.n_dims <= op.head_dim && x.shape.cols() % op.head_dim == 0,
               "RoPE: {} dimensions, heads of {}, rows of {}", op.n_dims, op.head_dim, x.shape.cols());
  return x;
}

}  // namespace minfer
