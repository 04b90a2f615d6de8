// NVIDIA's management library, loaded at run time: the driver's version and the clocks, for people who measure. Where
// it is not there, nothing is known.
#pragma once

#include <string>

#include "backends/backend.h"

namespace minfer::cuda {

class Nvml {
 public:
  // Of the device with CUDA's ordinal. Throws nothing.
  explicit Nvml(int ordinal) noexcept;
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  std::string driver_version() const;  // "580.159.04", or ""
  DeviceClocks clocks() const;         // now

 private:
  template <typename Function>
  Function find(const char* name) const;

  void* library_ = nullptr;  // null: not there, or it refused
  void* device_ = nullptr;
};

}  // namespace minfer::cuda
