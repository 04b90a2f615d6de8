// Kernels that gather and permute. Plain header.
//
// overlap: the launch may start before its predecessor ends (device/launch.cuh).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "backends/cuda/device/fault.h"
#include "tensor/dtype.h"

namespace minfer::cuda {

struct GetRowsArgs {
  const void* source = nullptr;  // (n_rows, n) of `type`, rows row_bytes apart
  DType type = DType::kF32;
  std::int64_t n_rows = 0;
  std::int64_t n = 0;
  std::int64_t row_bytes = 0;
  const std::int32_t* ids = nullptr;  // (n_ids)
  std::int64_t n_ids = 0;
  float* out = nullptr;  // (n_ids, n); a row whose id is not in 0..n_rows-1 becomes zeros, and a fault
  FaultSink faults;
};
bool get_rows_supported(DType type);
void launch_get_rows(const GetRowsArgs& args, bool overlap, cudaStream_t stream);

struct PermuteArgs {
  const float* x = nullptr;
  float* out = nullptr;
  std::int64_t out_dim[4] = {1, 1, 1, 1};   // innermost first
  std::int64_t x_stride[4] = {0, 0, 0, 0};  // floats of x that a step along each dimension of out takes
};
void launch_permute(const PermuteArgs& args, bool overlap, cudaStream_t stream);

}  // namespace minfer::cuda
