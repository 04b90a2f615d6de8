#include "backends/cuda/device/capture.h"

#include <algorithm>

#include "base/log.h"

namespace minfer::cuda {

CaptureCache::~CaptureCache() { clear(); }

void CaptureCache::clear() noexcept {
  abort();
  for (Entry& entry : entries_) destroy(entry);
  entries_.clear();
}

void CaptureCache::destroy(Entry& entry) noexcept {
  if (entry.exec) static_cast<void>(cudaGraphExecDestroy(entry.exec));
  entry.exec = nullptr;
  static_cast<void>(cudaGetLastError());
}

bool CaptureCache::fails(Failure point) {
  if (failure_ != point) return false;
  failure_ = Failure::kNone;
  return true;
}

void CaptureCache::give_up(const char* what) {
  const cudaError_t error = cudaGetLastError();
  log_warning("CUDA: {} failed ({}); CUDA graphs are off from here on", what, cudaGetErrorString(error));
  enabled_ = false;
}

CaptureCache::Entry& CaptureCache::entry_of(const SplitKey& key, std::uint64_t generation) {
  auto entry = std::ranges::find(entries_, key, &Entry::key);
  if (entry == entries_.end()) {
    if (entries_.size() == kMaxEntries) {
      const auto oldest = std::ranges::min_element(entries_, {}, &Entry::last_use);
      destroy(*oldest);
      entries_.erase(oldest);
    }
    entry = entries_.insert(entries_.end(), Entry{key, generation, 0, nullptr, 0});
  }
  if (entry->generation != generation) {
    destroy(*entry);
    entry->generation = generation;
    entry->runs = 0;
  }
  entry->last_use = ++clock_;
  return *entry;
}

CaptureCache::Start CaptureCache::start(const SplitKey& key, std::uint64_t generation) {
  if (!enabled_) return Start::kDirect;
  Entry& entry = entry_of(key, generation);
  if (entry.exec) return replay(entry) ? Start::kReplayed : Start::kDirect;
  if (entry.runs++ < kRunsBefore) return Start::kDirect;
  current_ = key;
  return begin_recording() ? Start::kRecording : Start::kDirect;
}

bool CaptureCache::replay(Entry& entry) {
  if (fails(Failure::kReplay) || cudaGraphLaunch(entry.exec, device_.stream()) != cudaSuccess) {
    give_up("replaying a graph");
    return false;
  }
  ++replays_;
  return true;
}

bool CaptureCache::begin_recording() {
  device_.capture_lock().begin_recording();
  if (fails(Failure::kBegin) ||
      cudaStreamBeginCapture(device_.stream(), cudaStreamCaptureModeThreadLocal) != cudaSuccess) {
    device_.capture_lock().end_recording();
    give_up("recording a graph");
    return false;
  }
  recording_ = true;
  return true;
}

cudaGraphExec_t CaptureCache::instantiate() {
  cudaGraph_t graph = nullptr;
  recording_ = false;
  const cudaError_t ended = cudaStreamEndCapture(device_.stream(), &graph);
  cudaGraphExec_t exec = nullptr;
  const bool usable = ended == cudaSuccess && graph && !fails(Failure::kEnd) && !fails(Failure::kInstantiate);
  if (usable && cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess) exec = nullptr;
  if (graph) static_cast<void>(cudaGraphDestroy(graph));
  device_.capture_lock().end_recording();
  return exec;
}

bool CaptureCache::finish() {
  cudaGraphExec_t exec = instantiate();
  if (!exec) {
    give_up("recording a graph");
    return false;
  }
  ++recordings_;
  const auto entry = std::ranges::find(entries_, current_, &Entry::key);
  entry->exec = exec;
  return replay(*entry);
}

void CaptureCache::abort() noexcept {
  if (!recording_) return;
  recording_ = false;
  cudaGraph_t graph = nullptr;
  static_cast<void>(cudaStreamEndCapture(device_.stream(), &graph));
  if (graph) static_cast<void>(cudaGraphDestroy(graph));
  static_cast<void>(cudaGetLastError());
  device_.capture_lock().end_recording();
}

}  // namespace minfer::cuda
