#include "ops/fused_qkv.h"

#include "base/check.h"

namespace minfer {

TensorDesc infer(const FusedQKV&, const Operands& operands) {
  check_operand_count(FusedQKV::kName, operands, 1, 3);
  const TensorDesc& x = operands.inputs[0];
  std::int64_t n_out = 0;
  for (const TensorDesc& w : operands.weights) {
    MINFER_CHECK(w.shape.cols() == x.shape.cols(), "FusedQKV: x {} does not fit weight {}",
                 to_string(x.shape), to_string(w.shape));
    n_out += w.shape.rows();
  }
  return {DType::kF32, Shape{n_out, x.shape.rows()}};
}

}  // namespace minfer
