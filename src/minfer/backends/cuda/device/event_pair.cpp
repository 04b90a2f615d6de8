#include "backends/cuda/device/event_pair.h"

#include "backends/cuda/device/check.h"

namespace minfer::cuda {

EventPair::~EventPair() {
  if (start_) static_cast<void>(cudaEventDestroy(start_));
  if (stop_) static_cast<void>(cudaEventDestroy(stop_));
  static_cast<void>(cudaGetLastError());
}

void EventPair::start(cudaStream_t stream) {
  if (!start_) MINFER_CUDA(cudaEventCreate(&start_));
  if (!stop_) MINFER_CUDA(cudaEventCreate(&stop_));
  MINFER_CUDA(cudaEventRecord(start_, stream));
}

void EventPair::stop(cudaStream_t stream) {
  MINFER_CUDA(cudaEventRecord(stop_, stream));
  stopped_ = true;
}

std::optional<double> EventPair::seconds() {
  if (!stopped_) return std::nullopt;
  float milliseconds = 0;
  MINFER_CUDA(cudaEventElapsedTime(&milliseconds, start_, stop_));
  return milliseconds * 1e-3;
}

}  // namespace minfer::cuda
