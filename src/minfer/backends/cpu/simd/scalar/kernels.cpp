// The row kernels for the baseline instruction set.
#include "backends/cpu/simd/scalar/words.h"

#include "backends/cpu/simd/generic/kernels.inl"

namespace minfer {

const CpuKernels kScalarKernels = {MINFER_ROW_KERNELS, .matmul = &kScalarMatMul};

}  // namespace minfer
