#include "backends/cpu/kernel_table.h"

#include <algorithm>

namespace minfer {

// The list of ops: a line here and the file that defines it.
#define MINFER_CPU_OPS(X) \
  X(Add)                  \
  X(Attn)                 \
  X(GetRows)              \
  X(Input)                \
  X(KvStore)              \
  X(Mul)                  \
  X(Permute)              \
  X(QkNorm)               \
  X(QkvBiasRopeStore)     \
  X(Quantize)             \
  X(Reshape)              \
  X(RmsNorm)              \
  X(RoPE)                 \
  X(RopeTable)            \
  X(Scale)                \
  X(Silu)                 \
  X(Softmax)              \
  X(SwiGLU)               \
  X(View)

#define MINFER_DECLARE_KERNELS(op) extern const OpKernels k##op##Kernels;
MINFER_CPU_OPS(MINFER_DECLARE_KERNELS)
#undef MINFER_DECLARE_KERNELS

namespace {

#define MINFER_KERNELS_ENTRY(op) &k##op##Kernels,
constexpr const OpKernels* kTable[] = {MINFER_CPU_OPS(MINFER_KERNELS_ENTRY)};
#undef MINFER_KERNELS_ENTRY

}  // namespace

const OpKernels* find_op_kernels(std::string_view op) {
  const auto* const found =
      std::find_if(std::begin(kTable), std::end(kTable), [&](const OpKernels* k) { return k->op == op; });
  return found == std::end(kTable) ? nullptr : *found;
}

std::span<const OpKernels* const> all_op_kernels() { return kTable; }

}  // namespace minfer
