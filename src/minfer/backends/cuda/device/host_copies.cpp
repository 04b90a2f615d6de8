#include "backends/cuda/device/host_copies.h"

#include <algorithm>
#include <cstring>

#include "backends/cuda/device/check.h"

namespace minfer::cuda {
namespace {

std::byte* pinned_memory(std::size_t bytes) {
  void* memory = nullptr;
  MINFER_CUDA(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable));
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
  MINFER_CUDA(cudaEventRecord(slots_[current_].copied, device_.stream()));
  current_ = (current_ + 1) % kSlots;
  device_.wait(slots_[current_].copied);  // an event that was never recorded is complete
  used_ = 0;
}

void UploadRing::write(std::byte* target, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (used_ == kSlotBytes) next_slot();
    const std::size_t n = std::min(bytes.size(), kSlotBytes - used_);
    std::byte* staged = slots_[current_].memory + used_;
    std::memcpy(staged, bytes.data(), n);
    MINFER_CUDA(cudaMemcpyAsync(target, staged, n, cudaMemcpyHostToDevice, device_.stream()));
    // The next write starts where copies run fastest.
    used_ = std::min(kSlotBytes, (used_ + n + 63) / 64 * 64);
    target += n;
    bytes = bytes.subspan(n);
  }
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
    MINFER_CUDA(
        cudaMemcpyAsync(chunks_[chunk % 2], source + first, n, cudaMemcpyDeviceToHost, device_.stream()));
    MINFER_CUDA(cudaEventRecord(arrived_[chunk % 2], device_.stream()));
  };
  transfer(0);
  for (std::size_t chunk = 0; chunk * kChunkBytes < bytes.size(); ++chunk) {
    transfer(chunk + 1);
    device_.wait(arrived_[chunk % 2]);
    const std::size_t first = chunk * kChunkBytes;
    std::memcpy(bytes.data() + first, chunks_[chunk % 2], std::min(kChunkBytes, bytes.size() - first));
  }
}

}  // namespace minfer::cuda
