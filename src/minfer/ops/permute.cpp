#include "ops/permute.h"

#include "base/check.h"

namespace minfer {

TensorDesc infer(const Permute& op, const Operands& operands) {
  check_operand_count(Permute::kName, operands, 1, 0);
  const TensorDesc& x = operands.inputs[0];
  check_dtype(Permute::kName, "x", x.dtype, DType::kF32);
  TensorDesc out{DType::kF32, {}};
  int seen = 0;
  for (int i = 0; i < kMaxRank; ++i) {
    MINFER_CHECK(op.order[i] >= 0 && op.order[i] < kMaxRank, "Permute: dimension {}", op.order[i]);
    seen |= 1 << op.order[i];
    out.shape.dim[i] = x.shape.dim[op.order[i]];
    if (out.shape.dim[i] != 1) out.shape.rank = i + 1;
  }
  MINFER_CHECK(seen == 15, "Permute: order repeats a dimension");
  return out;
}

}  // namespace minfer
