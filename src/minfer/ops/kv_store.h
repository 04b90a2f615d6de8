#pragma once

#include "ops/kv_geometry.h"
#include "ops/operands.h"

namespace minfer {

// Stores keys and values of a layer into the KV cache, converting them to the cell type.
//   inputs: k F32 (n_tokens, n_head_kv * head_dim), v likewise, cells I32 (n_tokens)
//   output: a handle without bytes, which orders the reads of Attn after this store
// A cell outside the region is an error.
struct KvStore {
  static constexpr std::string_view kName = "KvStore";
  KvGeometry kv;
  bool operator==(const KvStore&) const = default;
};

TensorDesc infer(const KvStore& op, const Operands& operands);

}  // namespace minfer
