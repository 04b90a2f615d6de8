// One recording at a time on a GPU, and nothing beside it that a recording must not see.
//
// Backends of one GPU share the driver's context, where they run in several threads. A recording follows its own
// thread, but memory that is taken or freed and code that is loaded meanwhile may wait for the whole context, and so
// for work that the recording holds back. Hence a recording and each such call hold the GPU's lock.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

namespace minfer::cuda {

class CaptureLock {
 public:
  // The lock of a GPU, the same for everyone who holds it at a time.
  static std::shared_ptr<CaptureLock> of_device(int ordinal);

  // A recording: waits for other recordings and for calls that a recording must not see.
  void begin_recording();
  void end_recording() noexcept;  // REQUIRES: begun by this thread
  bool recorded_by_this_thread() const { return recorder_.load() == std::this_thread::get_id(); }
  // Waits for the end of a recording, and keeps others from beginning. REQUIRES: it is not this thread's.
  std::unique_lock<std::mutex> exclude_recordings() { return std::unique_lock(mutex_); }

 private:
  std::mutex mutex_;
  std::atomic<std::thread::id> recorder_{};  // of the open recording
};

// Kept while something happens to the current device that a recording must not see.
class WithoutRecordings {
 public:
  explicit WithoutRecordings(std::shared_ptr<CaptureLock> lock);

 private:
  std::shared_ptr<CaptureLock> lock_;
  std::unique_lock<std::mutex> held_;
};
// Throws InternalError where this thread's own recording is open, which `what` would spoil.
WithoutRecordings exclude_recordings(const char* what);
// The same for whoever must not throw: does not wait for this thread's own recording.
WithoutRecordings wait_for_recordings() noexcept;

}  // namespace minfer::cuda
