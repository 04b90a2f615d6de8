// The row kernels for AVX2, FMA and F16C: nothing but its tables leaves this unit.
#include "backends/cpu/simd/avx2/attention_words.h"

#include "backends/cpu/simd/generic/kernels.inl"

namespace minfer {

const CpuKernels kAvx2Kernels = {MINFER_ROW_KERNELS, .matmul = &kAvx2MatMul};
const CpuKernels kAvxVnniKernels = {MINFER_ROW_KERNELS, .matmul = &kAvxVnniMatMul};

}  // namespace minfer
