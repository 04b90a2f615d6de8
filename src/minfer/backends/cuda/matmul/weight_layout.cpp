#include "backends/cuda/matmul/weight_layout.h"

#include "base/check.h"

namespace minfer::cuda {

WeightLayout choose_layout(const DeviceLimits&, DType, std::int64_t, std::int64_t) {
  return WeightLayout::kRaw;
}

std::size_t layout_bytes(WeightLayout layout, DType type, std::int64_t n, std::int64_t k) {
  MINFER_CHECK(layout == WeightLayout::kRaw, "layout {}", static_cast<int>(layout));
  return row_bytes(type, k) * static_cast<std::size_t>(n);
}

void launch_repack(WeightLayout layout, DType, std::int64_t, std::int64_t, const void*, void*, cudaStream_t) {
  MINFER_CHECK(false, "layout {} is not made by a kernel", static_cast<int>(layout));
}

}  // namespace minfer::cuda
