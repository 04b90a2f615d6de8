// One GPU as this backend uses it: its limits, one stream, and the memory through which kernels report faults.
//
// Several of these may exist, also for one GPU: each has a stream of its own, and nothing is shared but the lock that
// keeps recordings apart. One thread at a time uses a device. Nothing uses the legacy default stream, whose work would
// synchronize with every other one.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "backends/backend.h"
#include "backends/cuda/device/capture_lock.h"
#include "backends/cuda/device/fault.h"
#include "backends/cuda/device/limits.h"
#include "backends/cuda/device/nvml.h"

namespace minfer::cuda {

// The device of the highest compute capability, the first among equals; -1 where there is none.
int best_device();
// Throws DeviceError for an ordinal that does not exist, naming those that do.
DeviceLimits read_limits(int ordinal);

class Device {
 public:
  // Throws InvalidRequestError for an ordinal that does not exist, DeviceError where the device cannot be used.
  explicit Device(int ordinal);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceLimits& limits() const { return limits_; }
  cudaStream_t stream() const { return stream_; }
  CaptureLock& capture_lock() const { return *capture_lock_; }
  FaultSink faults(std::int32_t node) const { return {fault_, node}; }

  // Makes this the calling thread's current device; every entry from outside begins with it. Throws DeviceError where
  // an earlier error has made the device unusable.
  void activate() const;
  // Waits until everything enqueued has run, for at most kWaitSeconds. Throws DeviceError for any error of that work,
  // after which the device counts as dead, and where the time is over.
  void synchronize();
  void wait(cudaEvent_t event);
  // What a kernel reported since the last call; kind is 0 where nothing. REQUIRES: synchronized.
  Fault take_fault();

  MemoryInfo memory() const;
  // "NVIDIA H200 (compute capability 9.0, 132 SMs up to 1980 MHz, 139.8 GiB, driver 580.159.04 for CUDA 13.0)".
  std::string description() const;
  DeviceClocks clocks() const { return nvml_.clocks(); }

 private:
  template <class Query>
  void wait_until(const char* what, Query query);

  DeviceLimits limits_;
  std::shared_ptr<CaptureLock> capture_lock_;
  Nvml nvml_;
  std::string name_;
  int driver_version_ = 0;
  cudaStream_t stream_ = nullptr;
  Fault* fault_ = nullptr;  // pinned memory of the host
  std::string dead_;        // the error that made the device unusable
};

}  // namespace minfer::cuda
