// concat(MatMul(x, wq), MatMul(x, wk), MatMul(x, wv)) = FusedQKV(x, wq, wk, wv)
//
// No op reads a part of the concatenation's columns, so the rule fires only together with QkvBiasRopeStore,
// which takes the whole (qkv_bias_rope_store.h): where either is not supported, neither is made.
#pragma once

#include "graph/fuse/rule.h"

namespace minfer {

bool fuse_qkv(const FuseContext& context, NodeId root);

inline constexpr FuseRule kFusedQkvRule{"fused_qkv", fuse_qkv};

}  // namespace minfer
