// KvStore(RoPE(norm(k + bk)), v + bv) and RoPE(norm(q + bq)) = QkvBiasRopeStore(concat(q, k, v))
#pragma once

#include "graph/fuse/qkv_block.h"
#include "graph/fuse/rule.h"

namespace minfer {

// The node that does the rest of the block on the concatenated projections `qkv`, a FusedQKV of the graph.
// Both replace their patterns together (fused_qkv.h): nothing else reads the concatenation.
Node make_qkv_bias_rope_store(const FuseContext& context, const QkvBlock& block, NodeId qkv);

}  // namespace minfer
