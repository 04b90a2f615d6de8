// Copies between host and device, through pinned memory of the host: a copy from pageable memory would wait for the
// device, or go through a buffer of the driver's own.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "backends/cuda/device/device.h"

namespace minfer::cuda {

// A ring of pinned slots for copies to the device. A write has taken its bytes when it returns; small writes share a
// slot, and a slot is used again once the copies from it are done.
class UploadRing {
 public:
  explicit UploadRing(Device& device);  // which must outlive this
  ~UploadRing();
  UploadRing(const UploadRing&) = delete;
  UploadRing& operator=(const UploadRing&) = delete;

  // Enqueues the copy on the device's stream.
  void write(std::byte* target, std::span<const std::byte> bytes);

  static constexpr std::size_t kSlotBytes = std::size_t{2} << 20;
  static constexpr std::size_t kSlots = 8;

 private:
  struct Slot {
    std::byte* memory = nullptr;
    cudaEvent_t copied = nullptr;
  };
  void next_slot();

  Device& device_;
  std::array<Slot, kSlots> slots_{};
  std::size_t current_ = 0;
  std::size_t used_ = 0;  // bytes of the current slot
};

// Copies from the device: in chunks through two pinned buffers, so that the copy of one to its place overlaps with the
// transfer of the next.
class Readback {
 public:
  // pinned = false: straight into the caller's memory, for comparison (MINFER_NO_PINNED_READBACK).
  Readback(Device& device, bool pinned);
  ~Readback();
  Readback(const Readback&) = delete;
  Readback& operator=(const Readback&) = delete;

  // Waits for earlier work of the stream and for the copy.
  void read(const std::byte* source, std::span<std::byte> bytes);

 private:
  static constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

  Device& device_;
  bool pinned_;
  std::array<std::byte*, 2> chunks_{};
  std::array<cudaEvent_t, 2> arrived_{};
};

}  // namespace minfer::cuda
