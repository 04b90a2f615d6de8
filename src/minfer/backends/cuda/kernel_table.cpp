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

bool has_kernel(std::string_view name) {
  return std::any_of(std::begin(kTable), std::end(kTable), [&](const OpKernels* op) {
    return std::any_of(op->candidates.begin(), op->candidates.end(),
                       [&](const Candidate* candidate) { return candidate->name == name; });
  });
}

}  // namespace minfer::cuda
