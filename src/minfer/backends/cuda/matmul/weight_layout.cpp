#include "backends/cuda/matmul/weight_layout.h"

#include "backends/cuda/matmul/repack.h"
#include "base/check.h"

namespace minfer::cuda {

// Older GPUs run simple.h for many tokens, which reads kRaw only.
WeightLayout choose_layout(const DeviceLimits& limits, DType type, std::int64_t, std::int64_t) {
  return has_planes(type) && limits.has_cp_async() ? WeightLayout::kPlanar : WeightLayout::kRaw;
}

// Planes are as many bytes as blocks.
std::size_t layout_bytes(WeightLayout, DType type, std::int64_t n, std::int64_t k) {
  return row_bytes(type, k) * static_cast<std::size_t>(n);
}

void launch_repack(const WeightMatrix& matrix, const RowRange& rows, const void* raw, void* packed,
                   cudaStream_t stream) {
  MINFER_CHECK(matrix.layout == WeightLayout::kPlanar, "layout {} is not made by a kernel",
               static_cast<int>(matrix.layout));
  const std::int64_t of_row = matrix.k / dtype_info(matrix.type).block_values;
  launch_to_planes(matrix.type, static_cast<std::size_t>(matrix.n * of_row),
                   {static_cast<std::size_t>(rows.first * of_row), static_cast<std::size_t>(rows.n * of_row)},
                   raw, packed, stream);
}

}  // namespace minfer::cuda
