#include "backends/cuda/ops/refuse.h"

#include <fmt/core.h>

namespace minfer::cuda {

std::string accept(const PlanContext&) { return {}; }

std::string refuse_unless_f32(const PlanContext& context) {
  for (std::size_t i = 0; i < context.spec.inputs.size(); ++i) {
    const DType type = context.spec.inputs[i].dtype;
    if (type != DType::kF32 && type != DType::kI32 && type != DType::kHandle)
      return fmt::format("input {} has type {}, not f32", i, dtype_name(type));
  }
  for (std::size_t i = 0; i < context.weights.size(); ++i) {
    const DType type = context.weights[i].desc.dtype;
    if (type != DType::kF32)
      return fmt::format("weight {} has type {}, not f32", context.spec.weights[i].name, dtype_name(type));
  }
  return {};
}

std::string refuse_output(DType output, std::int64_t n) {
  if (output == DType::kF32) return {};
  if (output != DType::kQ8Row32) return fmt::format("output of type {}", dtype_name(output));
  return n % 32 == 0 ? std::string{} : fmt::format("rows of {} values are not made of whole groups of 32", n);
}

std::string refuse_cells(const KvGeometry& kv) {
  if (kv.cell != DType::kF32 && kv.cell != DType::kF16 && kv.cell != DType::kQ8_0)
    return fmt::format("KV cells of type {} (only f32, f16 and q8_0)", dtype_name(kv.cell));
  if (kv.cell == DType::kQ8_0 && kv.head_dim % 32 != 0)
    return fmt::format("q8_0 KV cells need heads of whole blocks of 32 values, not of {}", kv.head_dim);
  if (kv.head_dim > 256) return fmt::format("heads of {} values, at most 256", kv.head_dim);
  return {};
}

}  // namespace minfer::cuda
