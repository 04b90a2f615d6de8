#include "ops/attn.h"

#include "base/check.h"

namespace minfer {

TensorDesc infer(const Attn& op, const Operands& operands) {
  check_operand_count(Attn::kName, operands, 5, 0);
  const TensorDesc& q = operands.inputs[0];
  const std::int64_t n_tokens = q.shape.rows();
  check_shape(Attn::kName, "q", q.shape, Shape{std::int64_t{op.n_head} * op.kv.head_dim, n_tokens});
  check_shape(Attn::kName, "positions", operands.inputs[2].shape, Shape{n_tokens});
  check_shape(Attn::kName, "slots", operands.inputs[3].shape, Shape{n_tokens});
  check_dtype(Attn::kName, "page_table", operands.inputs[4].dtype, DType::kI32);
  MINFER_CHECK(op.kv.n_head_kv > 0 && op.n_head % op.kv.n_head_kv == 0, "Attn: {} heads over {} KV heads",
               op.n_head, op.kv.n_head_kv);
  return {op.output, q.shape};
}

}  // namespace minfer
