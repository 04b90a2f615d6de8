#include "backends/cuda/device/capture_lock.h"

#include <cuda_runtime_api.h>

#include <map>

#include "base/check.h"

namespace minfer::cuda {
namespace {

std::shared_ptr<CaptureLock> lock_of_current_device() {
  int ordinal = 0;
  if (cudaGetDevice(&ordinal) != cudaSuccess) static_cast<void>(cudaGetLastError());
  return CaptureLock::of_device(ordinal);
}

}  // namespace

std::shared_ptr<CaptureLock> CaptureLock::of_device(int ordinal) {
  static std::mutex mutex;
  static std::map<int, std::weak_ptr<CaptureLock>> locks;
  const std::lock_guard guard(mutex);
  std::shared_ptr<CaptureLock> lock = locks[ordinal].lock();
  if (!lock) {
    lock = std::make_shared<CaptureLock>();
    locks[ordinal] = lock;
  }
  return lock;
}

void CaptureLock::begin_recording() {
  mutex_.lock();
  recorder_ = std::this_thread::get_id();
}

void CaptureLock::end_recording() noexcept {
  recorder_ = std::thread::id{};
  mutex_.unlock();
}

WithoutRecordings::WithoutRecordings(std::shared_ptr<CaptureLock> lock) : lock_(std::move(lock)) {
  if (!lock_->recorded_by_this_thread()) held_ = lock_->exclude_recordings();
}

WithoutRecordings exclude_recordings(const char* what) {
  std::shared_ptr<CaptureLock> lock = lock_of_current_device();
  MINFER_CHECK(!lock->recorded_by_this_thread(), "{} while a recording is open", what);
  return WithoutRecordings(std::move(lock));
}

WithoutRecordings wait_for_recordings() noexcept { return WithoutRecordings(lock_of_current_device()); }

}  // namespace minfer::cuda
