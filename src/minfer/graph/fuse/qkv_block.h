// The part of an attention block from its projections to the KV cache and to Attn: the pattern that FusedQKV
// and QkvBiasRopeStore replace together.
//
//   q = RoPE([QkNorm](MatMul(x, wq) [+ bq]), table)            stored = KvStore(k, v, cells)
//   k = RoPE([QkNorm](MatMul(x, wk) [+ bk]), table)            Attn(q, stored, ...)
//   v =               MatMul(x, wv) [+ bv]
#pragma once

#include <optional>
#include <vector>

#include "graph/graph_editor.h"

namespace minfer {

// One projection and what follows it; -1 for steps that are absent. Each node is read by the next one only.
struct ProjectionChain {
  NodeId matmul = -1;
  NodeId bias = -1;
  NodeId norm = -1;
  NodeId rope = -1;
};

struct QkvBlock {
  ProjectionChain q, k, v;
  NodeId store = -1;
  NodeId attn = -1;

  // Every node that the fused pair replaces, readers before what they read.
  std::vector<NodeId> nodes() const;
};

// The block that ends in the KvStore `root`, or nothing where a part is missing, differs between q and k
// (bias, norm, rotation), reads another x, lies on another device, or is read from outside.
std::optional<QkvBlock> match_qkv_block(const GraphEditor& editor, NodeId root);

}  // namespace minfer
