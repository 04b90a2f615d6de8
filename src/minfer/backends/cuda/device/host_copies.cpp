#include "backends/cuda/device/host_copies.h"

#include <algorithm>
#include <cstring>

#include "backends/cuda/device/check.h"

namespace minfer::cuda {
namespace {

std::byte* pinned_memory(std::size_t bytes) {
  void* memory = nullptr;
  MINFER_CUDA(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped));
  return static_cast<std::byte*>(memory);
}

cudaEvent_t make_event() {
  cudaEvent_t event = nullptr;
  MINFER_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

void destroy(std::byte* memory, cudaEvent_t event) noexcept {
  if (memory) static_cast<void>(cudaFreeHost(memory));
  if (event) static_cast<void>(cudaEventDestroy(event));
  static_cast<void>(cudaGetLastError());
}

}  // namespace

UploadRing::UploadRing(Device& device) : device_(device) {
  for (Slot& slot : slots_) slot = {pinned_memory(kSlotBytes), make_event()};
}

UploadRing::~UploadRing() {
  for (const Slot& slot : slots_) destroy(slot.memory, slot.copied);
}

void UploadRing::next_slot() {
  flush();  // it reads this slot
  MINFER_CUDA(cudaEventRecord(slots_[current_].copied, device_.stream()));
  current_ = (current_ + 1) % kSlots;
  device_.wait(slots_[current_].copied);  // an event that was never recorded is complete
  used_ = 0;
}

// Copies as many bytes as the slot has room for, of which there is some.
std::byte* UploadRing::stage(std::span<const std::byte> bytes) {
  std::byte* staged = slots_[current_].memory + used_;
  std::memcpy(staged, bytes.data(), bytes.size());
  // The next write starts where copies run fastest.
  used_ = std::min(kSlotBytes, (used_ + bytes.size() + 63) / 64 * 64);
  return staged;
}

void UploadRing::write(std::byte* target, std::span<const std::byte> bytes) {
  if (bytes.size() <= kSmallBytes && bytes.size() % 4 == 0 &&
      reinterpret_cast<std::uintptr_t>(target) % 4 == 0) {
    if (bytes.size() > kSlotBytes - used_) next_slot();
    if (kept_.n == ScatterArgs::kMaxPieces) flush();
    kept_.pieces[kept_.n++] = {target, stage(bytes), static_cast<std::uint32_t>(bytes.size() / 4)};
    return;
  }
  flush();  // writes keep their order
  while (!bytes.empty()) {
    if (used_ == kSlotBytes) next_slot();
    const std::size_t n = std::min(bytes.size(), kSlotBytes - used_);
    MINFER_CUDA(cudaMemcpyAsync(target, stage(bytes.first(n)), n, cudaMemcpyHostToDevice, device_.stream()));
    target += n;
    bytes = bytes.subspan(n);
  }
}

void UploadRing::flush() {
  if (kept_.n == 0) return;
  launch_scatter(kept_, device_.stream());
  kept_.n = 0;
}

Readback::Readback(Device& device, bool pinned) : device_(device), pinned_(pinned) {
  for (std::size_t i = 0; pinned && i < chunks_.size(); ++i) {
    chunks_[i] = pinned_memory(kChunkBytes);
    arrived_[i] = make_event();
  }
}

Readback::~Readback() {
  for (std::size_t i = 0; i < chunks_.size(); ++i) destroy(chunks_[i], arrived_[i]);
}

void Readback::read(const std::byte* source, std::span<std::byte> bytes) {
  if (!pinned_) {
    MINFER_CUDA(
        cudaMemcpyAsync(bytes.data(), source, bytes.size(), cudaMemcpyDeviceToHost, device_.stream()));
    device_.synchronize();
    return;
  }
  const auto transfer = [&](std::size_t chunk) {
    const std::size_t first = chunk * kChunkBytes;
    if (first >= bytes.size()) return;
    const std::size_t n = std::min(kChunkBytes, bytes.size() - first);
    MINFER_CUDA(cudaMemcpyAsync(chunks_[chunk % kChunks], source + first, n, cudaMemcpyDeviceToHost,
                                device_.stream()));
    MINFER_CUDA(cudaEventRecord(arrived_[chunk % kChunks], device_.stream()));
  };
  for (std::size_t chunk = 0; chunk + 1 < kChunks; ++chunk) transfer(chunk);
  for (std::size_t chunk = 0; chunk * kChunkBytes < bytes.size(); ++chunk) {
    transfer(chunk + kChunks - 1);  // into the buffer that was emptied last
    device_.wait(arrived_[chunk % kChunks]);
    const std::size_t first = chunk * kChunkBytes;
    std::memcpy(bytes.data() + first, chunks_[chunk % kChunks], std::min(kChunkBytes, bytes.size() - first));
  }
}

}  // namespace minfer::cuda
