#include "backends/cuda/device/check.h"

#include <fmt/core.h>

#include "minfer/error.h"

namespace minfer::cuda {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  const std::string text =
      fmt::format("CUDA: {}: {} ({})", what, cudaGetErrorString(error), cudaGetErrorName(error));
  if (error == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());  // not sticky: the process goes on
    throw OutOfMemoryError(text);
  }
  throw DeviceError(text);
}

void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace minfer::cuda
