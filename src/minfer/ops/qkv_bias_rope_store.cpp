#include "ops/qkv_bias_rope_store.h"

namespace minfer {

TensorDesc infer(const QkvBiasRopeStore& op, const Operands& operands) {
  check_operand_count(QkvBiasRopeStore::kName, operands, 3, (op.has_bias ? 3 : 0) + (op.has_norm ? 2 : 0));
  const std::int64_t n_q = std::int64_t{op.n_head} * op.kv.head_dim;
  const std::int64_t n_tokens = operands.inputs[0].shape.rows();
  check_shape(QkvBiasRopeStore::kName, "qkv", operands.inputs[0].shape,
              Shape{n_q + 2 * op.kv.row_values(), n_tokens});
  check_shape(QkvBiasRopeStore::kName, "table", operands.inputs[1].shape, Shape{op.n_dims, n_tokens});
  check_shape(QkvBiasRopeStore::kName, "cells", operands.inputs[2].shape, Shape{n_tokens});
  return {DType::kF32, Shape{n_q, n_tokens}};
}

}  // namespace minfer
