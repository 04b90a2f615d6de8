// The row kernels for AVX-512 F, BW, VL and DQ: nothing but its table leaves this unit.
#include "backends/cpu/simd/avx512/attention_words.h"

#include "backends/cpu/matmul/gemm_kernels.h"
#include "backends/cpu/simd/generic/kernels.inl"

namespace minfer {

const CpuKernels kAvx512Kernels = {MINFER_ROW_KERNELS, .matmul = &kAvx512MatMul, .gemm = &kAvx512Gemm};
const CpuKernels kAmxKernels = {MINFER_ROW_KERNELS, .matmul = &kAvx512MatMul, .gemm = &kAmxGemm};

}  // namespace minfer
