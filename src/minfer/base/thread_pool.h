// A fixed pool of workers for fork-join work: every worker runs the same function once and owns a part of the
// result (rows, heads), so results do not depend on the number of workers. The caller is worker 0.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/adaptive_wait.h"
#include "base/function_ref.h"

namespace minfer {

using WorkerFunction = FunctionRef<void(int worker, int n_workers)>;

class ThreadPool {
 public:
  // How a worker waits for work and the caller for its workers: base/adaptive_wait.h. Spinning is for pools with a
  // CPU for each worker; with more workers than CPUs it takes time from the very workers being waited for.
  enum class Wait { kSleep, kSpinThenSleep };

  static constexpr int kMaxWorkers = 1024;

  // Starts n_workers - 1 threads, which spin when there is a usable CPU for each worker (base/cpu_count.h).
  // Throws InvalidRequestError unless 1 <= n_workers <= kMaxWorkers, or when the system refuses a thread.
  explicit ThreadPool(int n_workers);
  ThreadPool(int n_workers, Wait wait);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return n_workers_; }
  Wait wait_mode() const { return wait_; }

  // Calls function(worker, size()) once on every worker and returns when all have returned. When some throw,
  // the exception of the lowest worker is rethrown after all have returned, and the pool stays usable. One
  // caller at a time, and never from inside a worker's function (InternalError).
  void run(WorkerFunction function);

 private:
  void start_threads();
  void stop_threads() noexcept;
  void thread_main(int worker);
  void call(int worker) noexcept;

  const int n_workers_;
  const Wait wait_;
  AdaptiveWait join_wait_;  // of the caller
  std::vector<std::thread> threads_;

  // Written by the caller before it raises epoch_, read by the workers after they see it raised.
  const WorkerFunction* function_ = nullptr;
  bool stopping_ = false;

  std::atomic<bool> running_{false};
  alignas(64) std::atomic<std::uint32_t> epoch_{0};  // counts runs; workers wait for it to change
  alignas(64) std::atomic<std::uint32_t> pending_{
      0};  // workers still in the current run; the caller waits for 0

  std::mutex error_mutex_;
  std::exception_ptr error_;
  int error_worker_ = 0;
};

struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool empty() const { return begin >= end; }
  bool operator==(const Range&) const = default;
};

// The part of [0, n) that `worker` owns. Parts are disjoint, cover [0, n) in the workers' order, start at
// multiples of `granule` (so that no two workers share a block of rows or a cache line), and differ by at
// most one granule in size. Some are empty when there are fewer granules than workers. REQUIRES: n >= 0,
// granule >= 1, 0 <= worker < n_workers.
constexpr Range split_range(std::int64_t n, int worker, int n_workers, std::int64_t granule = 1) {
  const std::int64_t blocks = (n + granule - 1) / granule;
  const auto boundary = [&](std::int64_t part) {
    const std::int64_t at = blocks * part / n_workers * granule;
    return at < n ? at : n;
  };
  return {boundary(worker), boundary(worker + 1)};
}

}  // namespace minfer
