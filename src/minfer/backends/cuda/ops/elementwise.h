// Add, Mul, Scale and Silu. Plain header.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace minfer::cuda {

// y has n values, or `period` values that repeat (a row).
void launch_add(const float* x, const float* y, float* out, std::int64_t n, std::int64_t period,
                cudaStream_t stream);
void launch_mul(const float* x, const float* y, float* out, std::int64_t n, std::int64_t period,
                cudaStream_t stream);
void launch_scale(const float* x, float factor, float* out, std::int64_t n, cudaStream_t stream);
void launch_silu(const float* x, float* out, std::int64_t n, cudaStream_t stream);

}  // namespace minfer::cuda
