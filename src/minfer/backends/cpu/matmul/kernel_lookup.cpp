#include "backends/cpu/matmul/kernel_lookup.h"

namespace minfer {
namespace {

struct Entry {
  DType type;
  MatMulFn MatMulKernels::*kernel;
};

constexpr Entry kEntries[] = {
    {DType::kF32, &MatMulKernels::f32},       {DType::kF16, &MatMulKernels::f16},
    {DType::kBF16, &MatMulKernels::bf16},     {DType::kQ4_0, &MatMulKernels::q4_0},
    {DType::kQ4_1, &MatMulKernels::q4_1},     {DType::kQ5_0, &MatMulKernels::q5_0},
    {DType::kQ5_1, &MatMulKernels::q5_1},     {DType::kQ8_0, &MatMulKernels::q8_0},
    {DType::kQ2_K, &MatMulKernels::q2_k},     {DType::kQ3_K, &MatMulKernels::q3_k},
    {DType::kQ4_K, &MatMulKernels::q4_k},     {DType::kQ5_K, &MatMulKernels::q5_k},
    {DType::kQ6_K, &MatMulKernels::q6_k},     {DType::kIQ4_NL, &MatMulKernels::iq4_nl},
    {DType::kIQ4_XS, &MatMulKernels::iq4_xs},
};

}  // namespace

MatMulFn find_matmul_kernel(const MatMulKernels& kernels, DType weight_type) noexcept {
  for (const Entry& entry : kEntries)
    if (entry.type == weight_type) return kernels.*entry.kernel;
  return nullptr;
}

}  // namespace minfer
