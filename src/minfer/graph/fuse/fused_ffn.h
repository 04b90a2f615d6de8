// SwiGLU(MatMul(x, w_gate), MatMul(x, w_up)) = FusedFFN(x, w_gate, w_up)
#pragma once

#include "graph/fuse/rule.h"

namespace minfer {

bool fuse_ffn(const FuseContext& context, NodeId root);

inline constexpr FuseRule kFusedFfnRule{"fused_ffn", fuse_ffn};

}  // namespace minfer
