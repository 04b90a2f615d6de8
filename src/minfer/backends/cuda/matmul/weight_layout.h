// Which layout a weight gets on the device, and how it is made. Kernel families with a layout of their own add it here.
#pragma once

#include "backends/cuda/device/limits.h"
#include "backends/cuda/matmul/weight_matrix.h"

namespace minfer::cuda {

// The layout for matrix products of an (n, k) weight of this type. Gathered rows (embeddings) always are kRaw: a weight
// that is read in both roles is kept twice where this is another layout.
WeightLayout choose_layout(const DeviceLimits& limits, DType type, std::int64_t n, std::int64_t k);

// Bytes of the matrix in the layout.
std::size_t layout_bytes(WeightLayout layout, DType type, std::int64_t n, std::int64_t k);

// Enqueues the conversion of raw bytes on the device, both pointers device memory. Not called for kRaw.
void launch_repack(WeightLayout layout, DType type, std::int64_t n, std::int64_t k, const void* raw,
                   void* packed, cudaStream_t stream);

}  // namespace minfer::cuda
