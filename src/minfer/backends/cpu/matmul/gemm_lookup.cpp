#include "backends/cpu/matmul/gemm_lookup.h"

namespace minfer {

const GemmKernel* find_gemm_kernel(const GemmKernels& kernels, DType weight_type) noexcept {
  switch (weight_type) {
    case DType::kQ4_0:
      return kernels.q4_0;
    case DType::kQ4_1:
      return kernels.q4_1;
    case DType::kQ5_0:
      return kernels.q5_0;
    case DType::kQ5_1:
      return kernels.q5_1;
    case DType::kQ8_0:
      return kernels.q8_0;
    case DType::kQ2_K:
      return kernels.q2_k;
    case DType::kQ3_K:
      return kernels.q3_k;
    case DType::kQ4_K:
      return kernels.q4_k;
    case DType::kQ5_K:
      return kernels.q5_k;
    case DType::kQ6_K:
      return kernels.q6_k;
    case DType::kIQ4_NL:
      return kernels.iq4_nl;
    case DType::kIQ4_XS:
      return kernels.iq4_xs;
    default:
      return nullptr;
  }
}

}  // namespace minfer
