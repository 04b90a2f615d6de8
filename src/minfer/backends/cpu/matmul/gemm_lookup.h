// From an instruction set and a weight type to the kernel for many tokens.
#pragma once

#include "backends/cpu/matmul/gemm_kernels.h"
#include "tensor/dtype.h"

namespace minfer {

// Null for a type without such a kernel.
const GemmKernel* find_gemm_kernel(const GemmKernels& kernels, DType weight_type) noexcept;

}  // namespace minfer
