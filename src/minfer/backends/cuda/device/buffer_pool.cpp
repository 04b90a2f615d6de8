#include "backends/cuda/device/buffer_pool.h"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "backends/cuda/device/capture_lock.h"
#include "backends/cuda/device/check.h"
#include "base/check.h"

namespace minfer::cuda {
namespace {

constexpr std::size_t kAlignment = 256;
// How much larger than asked for a block of the free list may be.
constexpr double kSlack = 1.25;

constexpr double gib(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

}  // namespace

std::byte* allocate_device_memory(std::size_t bytes, const char* what) {
  const auto alone = exclude_recordings("memory of the GPU is taken");
  void* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, bytes);
  if (error != cudaErrorMemoryAllocation) {
    check(error, "cudaMalloc");
    return static_cast<std::byte*>(memory);
  }
  static_cast<void>(cudaGetLastError());  // not sticky
  std::size_t free = 0;
  std::size_t total = 0;
  MINFER_CUDA(cudaMemGetInfo(&free, &total));
  throw OutOfMemoryError(
      fmt::format("the GPU is out of memory: {} needs {:.2f} GiB, {:.2f} of {:.2f} GiB are free", what,
                  gib(bytes), gib(free), gib(total)));
}

void free_device_memory(std::byte* memory) noexcept {
  const auto alone = wait_for_recordings();
  static_cast<void>(cudaFree(memory));
  static_cast<void>(cudaGetLastError());
}

BufferPool::~BufferPool() {
  for (const Block& block : blocks_)
    if (block.data) free_device_memory(block.data);
  for (const Block& block : free_) free_device_memory(block.data);
}

bool BufferPool::take_from_free_list(std::size_t bytes, Block& block) {
  auto best = free_.end();
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const bool fits = it->capacity >= bytes &&
                      static_cast<double>(it->capacity) <= kSlack * static_cast<double>(bytes + kAlignment);
    if (fits && (best == free_.end() || it->capacity < best->capacity)) best = it;
  }
  if (best == free_.end()) return false;
  block = *best;
  free_.erase(best);
  return true;
}

BufferPool::Block BufferPool::take_from_driver(std::size_t bytes) {
  const std::size_t capacity = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  Block block{nullptr, bytes, capacity};
  try {
    block.data = allocate_device_memory(capacity, "a buffer");
  } catch (const OutOfMemoryError&) {
    if (free_.empty()) throw;
    trim();
    block.data = allocate_device_memory(capacity, "a buffer");
  }
  bytes_held_ += capacity;
  return block;
}

BufferId BufferPool::allocate(std::size_t bytes) {
  MINFER_CHECK(bytes > 0, "a buffer of 0 bytes");
  Block block;
  if (!take_from_free_list(bytes, block)) block = take_from_driver(bytes);
  block.bytes = bytes;
  blocks_.push_back(block);
  return static_cast<BufferId>(blocks_.size());
}

void BufferPool::release(BufferId buffer) {
  free_.push_back(block(buffer));
  blocks_[buffer - 1] = {};
  ++generation_;
}

void BufferPool::trim() {
  for (const Block& block : free_) {
    free_device_memory(block.data);
    bytes_held_ -= block.capacity;
  }
  free_.clear();
}

const BufferPool::Block& BufferPool::block(BufferId buffer) const {
  MINFER_CHECK(buffer > 0 && buffer <= blocks_.size() && blocks_[buffer - 1].data, "buffer {} does not exist",
               buffer);
  return blocks_[buffer - 1];
}

std::byte* BufferPool::data(BufferId buffer, std::size_t offset, std::size_t bytes) const {
  const Block& b = block(buffer);
  MINFER_CHECK(offset <= b.bytes && bytes <= b.bytes - offset, "bytes {} + {} of a buffer of {}", offset,
               bytes, b.bytes);
  return b.data + offset;
}

std::byte* BufferPool::data(const BufferRef& ref) const {
  return ref.buffer == kNoBuffer ? nullptr : data(ref.buffer, ref.offset, ref.bytes);
}

std::size_t BufferPool::bytes(BufferId buffer) const { return block(buffer).bytes; }

}  // namespace minfer::cuda
