// Device memory handed out by number. Released blocks are kept for the next request of about their size, because
// giving memory back to the driver waits for the device.
#pragma once

#include <cstddef>
#include <vector>

#include "backends/backend.h"

namespace minfer::cuda {

class BufferPool {
 public:
  BufferPool() = default;
  ~BufferPool();  // returns everything to the driver
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  // Aligned to 256 bytes, contents unspecified. Ids are never used twice. REQUIRES: bytes > 0. Throws OutOfMemoryError
  // with the bytes needed and free.
  BufferId allocate(std::size_t bytes);
  // The block may be handed out again at once: work of the stream that still uses it comes before work of its next
  // owner.
  void release(BufferId buffer);
  // Gives the blocks of the free list back to the driver. REQUIRES: the device is idle.
  void trim();

  // Both throw InternalError for a buffer that does not exist and for a stretch beyond its end. Null for kNoBuffer.
  std::byte* data(BufferId buffer, std::size_t offset, std::size_t bytes) const;
  std::byte* data(const BufferRef& ref) const;
  std::size_t bytes(BufferId buffer) const;

  // Another number whenever an address that was handed out became invalid: recorded work may then be stale.
  std::uint64_t generation() const { return generation_; }
  std::size_t bytes_held() const { return bytes_held_; }  // from the driver, the free list included

 private:
  struct Block {
    std::byte* data = nullptr;
    std::size_t bytes = 0;     // asked for
    std::size_t capacity = 0;  // what the driver gave
  };
  const Block& block(BufferId buffer) const;
  bool take_from_free_list(std::size_t bytes, Block& block);
  Block take_from_driver(std::size_t bytes);

  std::vector<Block> blocks_;  // of buffer id i + 1; data is null once released
  std::vector<Block> free_;
  std::uint64_t generation_ = 1;
  std::size_t bytes_held_ = 0;
};

// cudaMalloc: throws OutOfMemoryError that says how much was wanted and how much was free.
std::byte* allocate_device_memory(std::size_t bytes, const char* what);
void free_device_memory(std::byte* memory) noexcept;
struct FreeDeviceMemory {  // of a smart pointer
  void operator()(std::byte* memory) const noexcept { free_device_memory(memory); }
};

}  // namespace minfer::cuda
