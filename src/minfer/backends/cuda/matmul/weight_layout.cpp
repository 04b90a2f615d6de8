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

void launch_repack(WeightLayout layout, DType type, std::int64_t n, std::int64_t k, const void* raw,
                   void* packed, cudaStream_t stream) {
  MINFER_CHECK(layout == WeightLayout::kPlanar, "layout {} is not made by a kernel",
               static_cast<int>(layout));
  launch_to_planes(type, static_cast<std::size_t>(n * k / dtype_info(type).block_values), raw, packed,
                   stream);
}

}  // namespace minfer::cuda
