// Products of weights with many tokens: a panel of weight rows is unpacked once into the worker's own memory, in the
// order in which the integer dot instructions read it, and then multiplied with every token. Same arithmetic, and so
// the same bits, as the kernels of matmul_kernels.h.
// Plain types only: instruction-set-specific units include this header.
#pragma once

#include <cstddef>

#include "backends/cpu/matmul/matmul_kernels.h"

namespace minfer {

// scratch: gemm_scratch_bytes of the kernel and m.k, at any address; overwritten.
using GemmFn = void (*)(const MatMulRows& m, std::byte* scratch);

struct GemmKernel {
  GemmFn run = nullptr;
  std::size_t block_values = 0;   // of the weight type
  std::size_t block_scratch = 0;  // bytes that one block of a panel of rows takes, a multiple of 64
};

// A panel, and room to align it.
static constexpr std::size_t gemm_scratch_bytes(const GemmKernel& kernel, std::int64_t k) {
  return static_cast<std::size_t>(k) / kernel.block_values * kernel.block_scratch + 64;
}

// One for each weight type; null where the instruction set has none.
struct GemmKernels {
  const char* name = nullptr;  // "avx512 gemm"
  const GemmKernel* q4_0 = nullptr;
  const GemmKernel* q4_1 = nullptr;
  const GemmKernel* q5_0 = nullptr;
  const GemmKernel* q5_1 = nullptr;
  const GemmKernel* q8_0 = nullptr;
  const GemmKernel* q2_k = nullptr;
  const GemmKernel* q3_k = nullptr;
  const GemmKernel* q4_k = nullptr;
  const GemmKernel* q5_k = nullptr;
  const GemmKernel* q6_k = nullptr;
  const GemmKernel* iq4_nl = nullptr;
  const GemmKernel* iq4_xs = nullptr;
};

// x86 only.
extern const GemmKernels kAvx512Gemm;  // REQUIRES a CPU with AVX-512 F, BW, VL, DQ and VNNI
extern const GemmKernels kAmxGemm;  // REQUIRES the same and AMX-INT8, and the system's leave to use its tiles
// Arm only.
extern const GemmKernels kNeonDotprodGemm;  // REQUIRES a CPU with SDOT
extern const GemmKernels kNeonI8mmGemm;     // REQUIRES a CPU with SDOT and SMMLA

}  // namespace minfer
