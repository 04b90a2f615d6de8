#include "ops/reshape.h"

#include "base/check.h"

namespace minfer {

TensorDesc infer(const Reshape& op, const Operands& operands) {
  check_operand_count(Reshape::kName, operands, 1, 0);
  const TensorDesc& x = operands.inputs[0];
  MINFER_CHECK(op.shape.elements() == x.shape.elements() &&
                   (x.dtype == DType::kF32 || x.dtype == DType::kI32 || op.shape.cols() == x.shape.cols()),
               "Reshape: {} to {}", to_string(x.shape), to_string(op.shape));
  return {x.dtype, op.shape};
}

}  // namespace minfer
