#include "ops/fused_ffn.h"

#include "base/check.h"

namespace minfer {

TensorDesc infer(const FusedFFN& op, const Operands& operands) {
  check_operand_count(FusedFFN::kName, operands, 1, 2);
  const TensorDesc& x = operands.inputs[0];
  const Shape& gate = operands.weights[0].shape;
  check_shape(FusedFFN::kName, "up", operands.weights[1].shape, gate);
  MINFER_CHECK(gate.cols() == x.shape.cols(), "FusedFFN: x {} does not fit weight {}", to_string(x.shape),
               to_string(gate));
  return {op.output, Shape{gate.rows(), x.shape.rows()}};
}

}  // namespace minfer
