// Quantize(f(x)) = f(x) with its result in the activation type, for RmsNorm, SwiGLU, FusedFFN and Attn
#pragma once

#include "graph/fuse/rule.h"

namespace minfer {

bool fuse_quantize_epilogue(const FuseContext& context, NodeId root);

inline constexpr FuseRule kQuantizeEpilogueRule{"quantize_epilogue", fuse_quantize_epilogue};

}  // namespace minfer
