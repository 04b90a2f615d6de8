// Activation memory: one growable buffer a device, shared by graphs of which one runs at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backends/backend.h"

namespace minfer {

class Arena {
 public:
  explicit Arena(std::span<Backend* const> devices);  // the devices must outlive the arena
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::size_t n_devices() const { return slabs_.size(); }

  // Makes a device's buffer at least this large. Growing replaces the buffer, so that its contents are lost
  // and generation() changes. Throws OutOfMemoryError.
  void reserve(DeviceId device, std::size_t bytes);
  // kNoBuffer as long as nothing was reserved.
  BufferId buffer(DeviceId device) const { return slabs_[static_cast<std::size_t>(device)].buffer; }
  std::size_t bytes(DeviceId device) const { return slabs_[static_cast<std::size_t>(device)].bytes; }
  // Another number whenever a buffer was replaced.
  std::uint64_t generation() const { return generation_; }

 private:
  struct Slab {
    Backend* device = nullptr;
    BufferId buffer = kNoBuffer;
    std::size_t bytes = 0;
  };
  std::vector<Slab> slabs_;
  std::uint64_t generation_ = 0;
};

}  // namespace minfer
