// A fixed pool of workers for fork-join work: the function is called once for every worker, which owns a part of the
// result (rows, heads), so results depend neither on their number nor on the thread that does a worker's part.
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
  // How a thread waits for work and the caller for the parts: base/adaptive_wait.h. Spinning is for pools with a CPU
  // for each thread; else it takes time from the very threads being waited for.
  enum class Wait { kSleep, kSpinThenSleep };

  static constexpr int kMaxWorkers = 1024;

  // Runs them on as many threads as there are CPUs for (base/cpu_count.h), at most n_workers, the caller's included.
  // Throws InvalidRequestError unless 1 <= n_workers <= kMaxWorkers, or when the system refuses a thread.
  explicit ThreadPool(int n_workers);
  ThreadPool(int n_workers, Wait wait);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return n_workers_; }
  Wait wait_mode() const { return wait_; }

  // Calls function(worker, size()) once for every worker and returns when all have returned; a thread that is free
  // does the next part, so none may wait for another. The exception of the lowest worker that threw is rethrown then.
  // One caller at a time, and never from inside a worker's function (InternalError).
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
  alignas(64) std::atomic<std::uint32_t> epoch_{
      0};  // the run and its next part; threads wait for another run
  alignas(64) std::atomic<std::uint32_t> pending_{0};  // parts that are not done; the caller waits for 0

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
