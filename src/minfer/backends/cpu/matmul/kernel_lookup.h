// From a weight type to its kernel in a table.
#pragma once

#include "backends/cpu/matmul/matmul_kernels.h"
#include "tensor/dtype.h"

namespace minfer {

// Null for a type that the table has no kernel for.
MatMulFn find_matmul_kernel(const MatMulKernels& kernels, DType weight_type) noexcept;

}  // namespace minfer
