#include "base/thread_pool.h"

#include <system_error>
#include <utility>

#include "base/check.h"
#include "base/cpu_count.h"

namespace minfer {
namespace {

ThreadPool::Wait wait_for(int n_workers) {
  const bool cpu_for_each = n_workers <= count_cpus().usable_cpus();
  return cpu_for_each ? ThreadPool::Wait::kSpinThenSleep : ThreadPool::Wait::kSleep;
}

}  // namespace

ThreadPool::ThreadPool(int n_workers) : ThreadPool(n_workers, wait_for(n_workers)) {}

ThreadPool::ThreadPool(int n_workers, Wait wait)
    : n_workers_(n_workers), wait_(wait), join_wait_(wait == Wait::kSpinThenSleep) {
  if (n_workers < 1 || n_workers > kMaxWorkers) {
    throw InvalidRequestError(
        fmt::format("the number of threads must be between 1 and {}, not {}", kMaxWorkers, n_workers));
  }
  start_threads();
}

ThreadPool::~ThreadPool() { stop_threads(); }

void ThreadPool::start_threads() {
  threads_.reserve(static_cast<std::size_t>(n_workers_ - 1));
  try {
    for (int worker = 1; worker < n_workers_; ++worker)
      threads_.emplace_back([this, worker] { thread_main(worker); });
  } catch (const std::system_error& error) {
    const std::size_t started = threads_.size();
    stop_threads();
    throw InvalidRequestError(
        fmt::format("cannot start thread {} of {}: {}", started + 2, n_workers_, error.what()));
  }
}

void ThreadPool::stop_threads() noexcept {
  stopping_ = true;
  epoch_.fetch_add(1);
  epoch_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::thread_main(int worker) {
  AdaptiveWait fork_wait(wait_ == Wait::kSpinThenSleep);
  for (std::uint32_t seen = 0;; ++seen) {
    fork_wait.wait_until(epoch_, [seen](std::uint32_t epoch) { return epoch != seen; });
    if (stopping_) return;
    call(worker);
    if (pending_.fetch_sub(1) == 1) pending_.notify_one();
  }
}

void ThreadPool::call(int worker) noexcept {
  try {
    (*function_)(worker, n_workers_);
  } catch (...) {
    const std::lock_guard lock(error_mutex_);
    if (!error_ || worker < error_worker_) {
      error_ = std::current_exception();
      error_worker_ = worker;
    }
  }
}

void ThreadPool::run(WorkerFunction function) {
  MINFER_CHECK(!running_.exchange(true, std::memory_order_acquire),
               "a thread pool runs one function at a time");
  function_ = &function;
  if (n_workers_ > 1) {
    pending_.store(static_cast<std::uint32_t>(n_workers_ - 1), std::memory_order_relaxed);
    epoch_.fetch_add(1);
    epoch_.notify_all();
  }
  call(0);
  join_wait_.wait_until(pending_, [](std::uint32_t pending) { return pending == 0; });
  const std::exception_ptr error = std::exchange(error_, nullptr);
  running_.store(false, std::memory_order_release);
  if (error) std::rethrow_exception(error);
}

}  // namespace minfer
