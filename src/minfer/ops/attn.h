#pragma once

#include "ops/kv_geometry.h"
#include "ops/operands.h"

namespace minfer {

// Causal attention of each token over its sequence's cells, which it finds through the page table.
//   inputs: q F32 (n_tokens, n_head * head_dim), stored (the KvStore or QkvBiasRopeStore of the layer: order
//   only),
//           positions I32 (n_tokens), slots I32 (n_tokens), page_table I32 (n_slots, max_pages)
//   output: (n_tokens, n_head * head_dim) of type `output`: F32, or an activation row type when the Quantize that
//           follows is fused
// Token t reads the cells of positions 0 .. positions[t] of row slots[t]. n_head is a multiple of n_head_kv:
// query head h reads KV head h / (n_head / n_head_kv).
struct Attn {
  static constexpr std::string_view kName = "Attn";
  KvGeometry kv;
  int n_head = 0;
  float scale = 0;  // multiplies q . k
  DType output = DType::kF32;
  bool operator==(const Attn&) const = default;
};

TensorDesc infer(const Attn& op, const Operands& operands);

}  // namespace minfer
