// Add(r, MatMul(x, w)) = MatMulAdd(x, r, w), with the terms in either order.
#pragma once

#include "graph/fuse/rule.h"

namespace minfer {

bool fuse_matmul_add(const FuseContext& context, NodeId root);

inline constexpr FuseRule kMatmulAddRule{"matmul_add", fuse_matmul_add};

}  // namespace minfer
