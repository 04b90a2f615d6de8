#include "ops/quantize.h"

#include "base/check.h"

namespace minfer {

TensorDesc infer(const Quantize& op, const Operands& operands) {
  check_operand_count(Quantize::kName, operands, 1, 0);
  check_dtype(Quantize::kName, "x", operands.inputs[0].dtype, DType::kF32);
  MINFER_CHECK(is_activation_dtype(op.output) && op.output != DType::kF32, "Quantize to {}",
               dtype_name(op.output));
  return {op.output, operands.inputs[0].shape};
}

}  // namespace minfer
