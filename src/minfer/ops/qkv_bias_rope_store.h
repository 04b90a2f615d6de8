#pragma once

#include "ops/kv_geometry.h"
#include "ops/operands.h"
#include "ops/rope.h"

namespace minfer {

// What follows FusedQKV, in one pass over its rows: biases, per-head norms of q and k, rotation of q and k,
// and the store of k and v into the KV cache. Fused from Add, QkNorm, RoPE and KvStore.
//   inputs: qkv F32 (n_tokens, n_q + 2 * n_kv), table F32 (n_tokens, n_dims), cells I32 (n_tokens)
//   weights: bq (n_q), bk (n_kv), bv (n_kv) if has_bias; then q_norm (head_dim), k_norm (head_dim) if
//   has_norm output: F32 (n_tokens, n_head * head_dim): the rotated queries; reads of the cells are ordered
//   after it
struct QkvBiasRopeStore {
  static constexpr std::string_view kName = "QkvBiasRopeStore";
  KvGeometry kv;
  int n_head = 0;
  RopeStyle style = RopeStyle::kNeox;
  int n_dims = 0;  // rotated dimensions of a head
  bool has_bias = false;
  bool has_norm = false;
  float eps = 0;  // of the norms
  bool operator==(const QkvBiasRopeStore&) const = default;
};

TensorDesc infer(const QkvBiasRopeStore& op, const Operands& operands);

}  // namespace minfer
