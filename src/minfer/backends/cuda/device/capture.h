// Splits as CUDA graphs: recorded on their third run, replayed from then on with one launch.
//
// Two runs go before, so that whatever a kernel does on its first launch (loading its code, asking for shared memory)
// is over. A recording holds addresses: it counts for one generation of the buffer pool. Recording follows the calling
// thread only, on a stream that belongs to one device object, so that devices used by other threads are not recorded;
// the GPU's lock (capture_lock.h) keeps recordings of several threads apart, and memory as it is meanwhile.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "backends/cuda/device/device.h"

namespace minfer::cuda {

struct SplitKey {
  std::uint64_t graph_id = 0;
  std::int32_t first = 0;
  std::int32_t last = 0;
  bool operator==(const SplitKey&) const = default;
};

class CaptureCache {
 public:
  enum class Start { kReplayed, kRecording, kDirect };
  // Where tests make a call fail.
  enum class Failure { kNone, kBegin, kEnd, kInstantiate, kReplay };

  explicit CaptureCache(Device& device) : device_(device) {}  // which must outlive this
  ~CaptureCache();
  CaptureCache(const CaptureCache&) = delete;
  CaptureCache& operator=(const CaptureCache&) = delete;

  // Starts a run of a split: replays it, begins to record it, or neither. A failure is logged and turns recording off
  // for good.
  Start start(const SplitKey& key, std::uint64_t generation);
  bool recording() const { return recording_; }
  // Ends a recording and runs it. False: that failed, nothing has run, and recording is off for good.
  bool finish();
  // Drops an open recording.
  void abort() noexcept;
  // Drops every recording. REQUIRES: the device is idle.
  void clear() noexcept;
  void disable() { enabled_ = false; }
  bool enabled() const { return enabled_; }

  std::int64_t replays() const { return replays_; }
  std::int64_t recordings() const { return recordings_; }
  void fail_next(Failure failure) { failure_ = failure; }

 private:
  struct Entry {
    SplitKey key;
    std::uint64_t generation = 0;
    int runs = 0;  // of this generation, before it was recorded
    cudaGraphExec_t exec = nullptr;
    std::int64_t last_use = 0;
  };
  Entry& entry_of(const SplitKey& key, std::uint64_t generation);
  bool replay(Entry& entry);
  bool begin_recording();
  cudaGraphExec_t instantiate();
  bool fails(Failure point);
  void give_up(const char* what);
  static void destroy(Entry& entry) noexcept;

  static constexpr int kRunsBefore = 2;
  static constexpr std::size_t kMaxEntries = 32;

  Device& device_;
  bool enabled_ = true;
  bool recording_ = false;
  Failure failure_ = Failure::kNone;
  SplitKey current_;
  std::vector<Entry> entries_;
  std::int64_t clock_ = 0;
  std::int64_t replays_ = 0;
  std::int64_t recordings_ = 0;
};

}  // namespace minfer::cuda
