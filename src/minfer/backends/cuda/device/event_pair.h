// The time that work of a stream takes on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <optional>

namespace minfer::cuda {

class EventPair {
 public:
  EventPair() = default;
  ~EventPair();
  EventPair(const EventPair&) = delete;
  EventPair& operator=(const EventPair&) = delete;

  void start(cudaStream_t stream);
  void stop(cudaStream_t stream);
  // Between the last start and stop; nothing where there was none. REQUIRES: the stream was waited for.
  std::optional<double> seconds();

 private:
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
  bool stopped_ = false;
};

}  // namespace minfer::cuda
