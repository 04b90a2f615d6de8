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

// Enqueues the conversion of some rows of a matrix, which `raw` has as the file does, to their places in `packed`, the
// whole matrix; both device memory. Not called for kRaw.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t n = 0;
};
void launch_repack(const WeightMatrix& matrix, const RowRange& rows, const void* raw, void* packed,
                   cudaStream_t stream);

}  // namespace minfer::cuda
