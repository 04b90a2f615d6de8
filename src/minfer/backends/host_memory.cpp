#include "backends/host_memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "base/check.h"
#include "base/system_memory.h"

namespace minfer {
namespace {

constexpr std::size_t kAlignment = 64;
// Below this, the heap: sanitizers see overruns there, and a page's rounding would be a waste.
constexpr std::size_t kMapBytes = std::size_t{1} << 20;

std::byte* heap_block(std::size_t bytes) {
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  return static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded));
}

// Asks for huge pages, but for the first ones: KV cells and weights that are read once a step cost fewer look-ups of
// pages, and memory that is used from its start on is at most doubled.
void advise_huge_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t kHugePage = std::uintptr_t{2} << 20;
  const auto start = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t first = (start + 2 * kHugePage - 1) / kHugePage * kHugePage;
  if (start + bytes >= first + kHugePage)  // a system without huge pages refuses, which does no harm
    madvise(reinterpret_cast<void*>(first), start + bytes - first, MADV_HUGEPAGE);
#endif
}

std::byte* mapped_block(std::size_t bytes) {
  // No reservation: the system's overcommit accounting must not refuse address space that stays untouched.
  void* data =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  advise_huge_pages(data, bytes);
  return static_cast<std::byte*>(data);
}

}  // namespace

HostBuffers::~HostBuffers() {
  for (const Block& block : blocks_) free_block(block);
}

BufferId HostBuffers::allocate(std::size_t bytes) {
  MINFER_CHECK(bytes > 0, "a buffer of no bytes");
  std::byte* data = bytes < kMapBytes ? heap_block(bytes) : mapped_block(bytes);
  if (!data)
    throw OutOfMemoryError(fmt::format("cannot allocate {} bytes of memory: {} bytes are available", bytes,
                                       host_memory_info().free_bytes));
  blocks_.push_back({data, bytes});
  return static_cast<BufferId>(blocks_.size());
}

void HostBuffers::release(BufferId buffer) {
  Block& released = blocks_[&block(buffer) - blocks_.data()];
  free_block(released);
  released = {};
}

std::byte* HostBuffers::data(const BufferRef& ref) const {
  return ref.buffer == kNoBuffer ? nullptr : range(ref.buffer, ref.offset, ref.bytes);
}

void HostBuffers::write(BufferId buffer, std::size_t offset, std::span<const std::byte> source) const {
  std::byte* destination = range(buffer, offset, source.size());
  if (!source.empty()) std::memcpy(destination, source.data(), source.size());
}

void HostBuffers::read(BufferId buffer, std::size_t offset, std::span<std::byte> destination) const {
  const std::byte* source = range(buffer, offset, destination.size());
  if (!destination.empty()) std::memcpy(destination.data(), source, destination.size());
}

void HostBuffers::free_block(const Block& block) noexcept {
  if (block.bytes < kMapBytes)
    std::free(block.data);
  else
    munmap(block.data, block.bytes);
}

const HostBuffers::Block& HostBuffers::block(BufferId buffer) const {
  MINFER_CHECK(buffer != kNoBuffer && buffer <= blocks_.size() && blocks_[buffer - 1].data,
               "buffer {} does not exist", buffer);
  return blocks_[buffer - 1];
}

std::byte* HostBuffers::range(BufferId buffer, std::size_t offset, std::size_t bytes) const {
  const Block& whole = block(buffer);
  MINFER_CHECK(offset <= whole.bytes && bytes <= whole.bytes - offset,
               "bytes {} + {} of buffer {}, which has {}", offset, bytes, buffer, whole.bytes);
  return whole.data + offset;
}

MemoryInfo host_memory_info() {
  const SystemMemory memory = system_memory();
  return {memory.total_bytes, memory.usable_bytes()};
}

}  // namespace minfer
