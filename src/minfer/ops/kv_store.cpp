#include "ops/kv_store.h"

namespace minfer {

TensorDesc infer(const KvStore& op, const Operands& operands) {
  check_operand_count(KvStore::kName, operands, 3, 0);
  const TensorDesc& k = operands.inputs[0];
  check_shape(KvStore::kName, "k", k.shape, Shape{op.kv.row_values(), k.shape.rows()});
  check_shape(KvStore::kName, "v", operands.inputs[1].shape, k.shape);
  check_shape(KvStore::kName, "cells", operands.inputs[2].shape, Shape{k.shape.rows()});
  return {DType::kHandle, Shape{1}};
}

}  // namespace minfer
