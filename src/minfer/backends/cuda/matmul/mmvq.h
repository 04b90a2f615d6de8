// Products with 1 to 8 tokens (decode): a quantized matrix against int8 activations. Plain header.
#pragma once

#include "backends/cuda/matmul/mmvq_params.h"

namespace minfer::cuda {

bool mmvq_supported(DType type, WeightLayout layout);
// overlap: the launch may start before its predecessor ends (device/launch.cuh).
// REQUIRES: n_tokens in 1 .. kMmvqMaxTokens, x_type kQ8Row32, types and layouts supported.
void launch_mmvq(const MatmulArgs& args, bool overlap, cudaStream_t stream);
// REQUIRES further: gate and up of one type, layout and shape; n a multiple of 32 where out is quantized.
void launch_mmvq_ffn(const FfnArgs& args, bool overlap, cudaStream_t stream);

// What units are made of.
enum class MmvqMode : std::uint8_t { kMatrices, kFfn, kFfnQuantized };

// Numbers the groups of kRows rows through all matrices. False where a matrix has fewer rows than a group (groups
// of 2 always can be numbered).
bool number_groups(MmvqParams& p, int rows);
// Groups of rows / 2 rows of gate and as many of up.
void number_pairs(MmvqParams& p, int rows);

// type, layout, unit
#define MINFER_MMVQ_UNITS(X)    \
  X(kQ4_0, kPlanar, mmvq_q4_0)  \
  X(kQ4_1, kPlanar, mmvq_q4_1)  \
  X(kQ5_0, kPlanar, mmvq_q5_0)  \
  X(kQ5_1, kPlanar, mmvq_q5_1)  \
  X(kQ8_0, kPlanar, mmvq_q8_0)  \
  X(kQ4_K, kRaw, mmvq_q4_k)     \
  X(kQ5_K, kRaw, mmvq_q5_k)     \
  X(kQ6_K, kPlanar, mmvq_q6_k)  \
  X(kQ4_0, kRaw, mmvq_q4_0_raw) \
  X(kQ4_1, kRaw, mmvq_q4_1_raw) \
  X(kQ5_0, kRaw, mmvq_q5_0_raw) \
  X(kQ5_1, kRaw, mmvq_q5_1_raw) \
  X(kQ8_0, kRaw, mmvq_q8_0_raw) \
  X(kQ6_K, kRaw, mmvq_q6_k_raw)

#define MINFER_DECLARE_UNIT(type, layout, function) \
  void function(MmvqParams& p, MmvqMode mode, bool overlap, cudaStream_t stream);
MINFER_MMVQ_UNITS(MINFER_DECLARE_UNIT)
#undef MINFER_DECLARE_UNIT

}  // namespace minfer::cuda
