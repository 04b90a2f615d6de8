// Buffers in host memory, for backends that compute there. Large ones are mapped and committed page by page when
// they are first touched, so that a KV region may be gigabytes of address space and cost only what is used.
// Not thread-safe: one thread at a time uses a backend.
#pragma once

#include <cstddef>
#include <vector>

#include "backends/backend.h"

namespace minfer {

class HostBuffers {
 public:
  HostBuffers() = default;
  ~HostBuffers();  // releases what is left
  HostBuffers(const HostBuffers&) = delete;
  HostBuffers& operator=(const HostBuffers&) = delete;

  // Aligned to 64 bytes, contents unspecified. Ids are never used twice. REQUIRES: bytes > 0. Throws
  // OutOfMemoryError.
  BufferId allocate(std::size_t bytes);
  void release(BufferId buffer);

  // All of these throw InternalError for a buffer that does not exist and for a range beyond its end.
  std::byte* data(BufferId buffer) const { return block(buffer).data; }
  std::size_t bytes(BufferId buffer) const { return block(buffer).bytes; }
  std::byte* data(const BufferRef& ref) const;  // the first byte of the stretch; null for kNoBuffer
  void write(BufferId buffer, std::size_t offset, std::span<const std::byte> source) const;
  void read(BufferId buffer, std::size_t offset, std::span<std::byte> destination) const;

 private:
  struct Block {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
  };
  static void free_block(const Block& block) noexcept;
  const Block& block(BufferId buffer) const;
  std::byte* range(BufferId buffer, std::size_t offset, std::size_t bytes) const;

  std::vector<Block> blocks_;  // of buffer id i + 1; data is null once released
};

// The machine's memory: installed, and what could be had now without swapping.
MemoryInfo host_memory_info();

}  // namespace minfer
