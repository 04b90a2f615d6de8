// Memory of the GPU for tests of kernels, and the rule that such tests are skipped, with a word, where there is no
// GPU.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include <cuda_runtime_api.h>

#include "backends/cuda/device/check.h"
#include "backends/cuda/device/limits.h"
#include "backends/cuda/gpu.h"

namespace minfer::cuda {

// What kernels choose by. REQUIRES: a GPU.
inline DeviceLimits test_limits() {
  cudaDeviceProp properties;
  MINFER_CUDA(cudaGetDeviceProperties(&properties, 0));
  DeviceLimits limits;
  limits.compute_capability = 10 * properties.major + properties.minor;
  limits.n_sms = properties.multiProcessorCount;
  limits.shared_per_block = properties.sharedMemPerBlockOptin;
  limits.shared_per_sm = properties.sharedMemPerMultiprocessor;
  limits.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  return limits;
}

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) : n_(n) {
    MINFER_CUDA(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
    MINFER_CUDA(cudaMemset(data_, 0xff, bytes()));  // poisoned: NaN for floats, -1 for ids
  }
  explicit DeviceArray(std::span<const T> values) : DeviceArray(values.size()) {
    MINFER_CUDA(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(std::span<const T>(values)) {}
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* get() const { return data_; }
  std::size_t bytes() const { return n_ * sizeof(T); }
  void poison() { MINFER_CUDA(cudaMemset(data_, 0xff, bytes())); }
  std::vector<T> read() const {
    MINFER_CUDA(cudaDeviceSynchronize());
    std::vector<T> values(n_);
    MINFER_CUDA(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t n_;
};

}  // namespace minfer::cuda
