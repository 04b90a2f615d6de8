#include "ops/get_rows.h"

namespace minfer {

TensorDesc infer(const GetRows&, const Operands& operands) {
  const bool from_weight = operands.weights.size() == 1;
  check_operand_count(GetRows::kName, operands, from_weight ? 1 : 2, from_weight ? 1 : 0);
  const TensorDesc& source = from_weight ? operands.weights[0] : operands.inputs[0];
  const TensorDesc& ids = operands.inputs.back();
  check_dtype(GetRows::kName, "ids", ids.dtype, DType::kI32);
  return {DType::kF32, Shape{source.shape.cols(), ids.shape.elements()}};
}

}  // namespace minfer
