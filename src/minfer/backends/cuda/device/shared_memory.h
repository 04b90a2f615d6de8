// Plain header.
#pragma once

#include <cstddef>

namespace minfer::cuda {

// Lets launches of a kernel use up to this many bytes of dynamic shared memory. Called where a node is planned, never
// when a capture may be open. Does nothing on a machine without a GPU, where nodes are only planned.
void allow_shared_memory(const void* kernel, std::size_t bytes);

}  // namespace minfer::cuda
