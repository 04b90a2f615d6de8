// Mul(Silu(gate), up) = SwiGLU(gate, up), with the factors in either order.
#pragma once

#include "graph/fuse/rule.h"

namespace minfer {

bool fuse_swiglu(const FuseContext& context, NodeId root);

inline constexpr FuseRule kSwigluRule{"swiglu", fuse_swiglu};

}  // namespace minfer
