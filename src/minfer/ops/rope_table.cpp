#include "ops/rope_table.h"

#include "base/check.h"

namespace minfer {

TensorDesc infer(const RopeTable& op, const Operands& operands) {
  const std::size_t weights = operands.weights.size();
  check_operand_count(RopeTable::kName, operands, 1, weights);
  const TensorDesc& positions = operands.inputs[0];
  check_dtype(RopeTable::kName, "positions", positions.dtype, DType::kI32);
  MINFER_CHECK(op.n_dims > 0 && op.n_dims % 2 == 0 && weights <= 1, "RopeTable: {} dimensions", op.n_dims);
  if (weights) check_shape(RopeTable::kName, "divisors", operands.weights[0].shape, Shape{op.n_dims / 2});
  return {DType::kF32, Shape{op.n_dims, positions.shape.elements()}};
}

}  // namespace minfer
