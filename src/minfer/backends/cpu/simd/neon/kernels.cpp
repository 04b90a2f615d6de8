// The row kernels of a tier of NEON: nothing but its tables leaves this unit.
#include "backends/cpu/simd/neon/attention_words.h"

#include "backends/cpu/matmul/gemm_kernels.h"
#include "backends/cpu/simd/generic/kernels.inl"

namespace minfer {

#if defined(__ARM_FEATURE_DOTPROD)
const CpuKernels kNeonDotprodKernels = {MINFER_ROW_KERNELS, .matmul = &kNeonDotprodMatMul,
                                        .gemm = &kNeonDotprodGemm};
const CpuKernels kNeonI8mmKernels = {MINFER_ROW_KERNELS, .matmul = &kNeonDotprodMatMul,
                                     .gemm = &kNeonI8mmGemm};
#else
const CpuKernels kNeonKernels = {MINFER_ROW_KERNELS, .matmul = &kNeonMatMul};
#endif

}  // namespace minfer
