// Copies between host and device, through pinned memory of the host: a copy from pageable memory would wait for the
// device, or go through a buffer of the driver's own.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/scatter.h"

namespace minfer::cuda {

// A ring of pinned slots for copies to the device. A write has taken its bytes when it returns; small writes share a
// slot, and a slot is used again once the copies from it are done. The inputs of a run, which are a few words each, go
// over together: one kernel fetches them from the slot (scatter.h).
class UploadRing {
 public:
  explicit UploadRing(Device& device);  // which must outlive this
  ~UploadRing();
  UploadRing(const UploadRing&) = delete;
  UploadRing& operator=(const UploadRing&) = delete;

  // Enqueues the copy on the device's stream, or keeps it until flush.
  void write(std::byte* target, std::span<const std::byte> bytes);
  // Enqueues what was kept: before any work that may read it, and never while a recording is open.
  void flush();

  static constexpr std::size_t kSlotBytes = std::size_t{2} << 20;
  static constexpr std::size_t kSlots = 8;

 private:
  struct Slot {
    std::byte* memory = nullptr;
    cudaEvent_t copied = nullptr;
  };
  void next_slot();
  std::byte* stage(std::span<const std::byte> bytes);

  static constexpr std::size_t kSmallBytes = 4096;

  Device& device_;
  std::array<Slot, kSlots> slots_{};
  std::size_t current_ = 0;
  std::size_t used_ = 0;  // bytes of the current slot
  ScatterArgs kept_;
};

// Copies from the device: in chunks through a few pinned buffers, so that the copy of one to its place overlaps with
// the transfer of the next ones.
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
  static constexpr std::size_t kChunkBytes = std::size_t{128} << 10;
  static constexpr std::size_t kChunks = 4;

  Device& device_;
  bool pinned_;
  std::array<std::byte*, kChunks> chunks_{};
  std::array<cudaEvent_t, kChunks> arrived_{};
};

}  // namespace minfer::cuda
