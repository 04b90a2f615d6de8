#include "backends/cpu/ops/row_output.h"

namespace minfer {

std::string refuse_output(DType output, std::int64_t n) {
  if (output == DType::kF32) return {};
  const std::int64_t group = output == DType::kQ8Row32 ? 32 : 256;
  if (n % group == 0) return {};
  return fmt::format("rows of {} values are not made of whole groups of {}", n, group);
}

std::size_t row_output_workspace(const PlanContext& context, DType output) {
  if (output == DType::kF32) return 0;
  return static_cast<std::size_t>(context.n_workers * context.spec.output.shape.cols()) * sizeof(float);
}

void quantize_row(const CpuKernels& kernels, DType output, const float* x, void* row, std::int64_t n) {
  if (output == DType::kQ8Row32) {
    kernels.quantize_row_32(x, row, n);
  } else {
    kernels.quantize_row_256(x, row, n);
  }
}

}  // namespace minfer
