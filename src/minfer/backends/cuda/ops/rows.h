// Kernels that work on rows: norms, softmax, quantization. Plain header.
//
// overlap: the launch may start before its predecessor ends (device/launch.cuh).
//
// Rows are contiguous. `quantized`: the output is kQ8Row32 rows instead of floats, the same values rounded.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace minfer::cuda {

void launch_rms_norm(const float* x, const float* weight, float eps, void* out, bool quantized,
                     std::int64_t n_rows, std::int64_t n, bool overlap, cudaStream_t stream);
void launch_quantize(const float* x, void* out, std::int64_t n_rows, std::int64_t n, bool overlap,
                     cudaStream_t stream);
void launch_swiglu(const float* gate, const float* up, void* out, bool quantized, std::int64_t n_rows,
                   std::int64_t n, bool overlap, cudaStream_t stream);
void launch_softmax(const float* x, float* out, std::int64_t n_rows, std::int64_t n, bool overlap,
                    cudaStream_t stream);

}  // namespace minfer::cuda
