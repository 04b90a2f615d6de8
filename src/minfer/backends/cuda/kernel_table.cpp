#include "backends/cuda/kernel_table.h"

#include <algorithm>

namespace minfer::cuda {
namespace {

#define MINFER_KERNELS_ENTRY(op) &k##op##Kernels,
constexpr const OpKernels* kTable[] = {MINFER_CUDA_OPS(MINFER_KERNELS_ENTRY)};
#undef MINFER_KERNELS_ENTRY

}  // namespace

const OpKernels* find_op_kernels(std::string_view op) {
  const auto* const found =
      std::find_if(std::begin(kTable), std::end(kTable), [&](const OpKernels* k) { return k->op == op; });
  return found == std::end(kTable) ? nullptr : *found;
}

}  // namespace minfer::cuda
