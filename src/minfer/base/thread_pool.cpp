#include "base/thread_pool.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "base/cpu_count.h"

namespace minfer {
namespace {

// What epoch_ holds: the number of the run in the high bits, and the next worker's part to take in the low ones. So
// taking a part proves that its run still goes on. Numbers repeat after two million runs, which does no harm:
// whoever takes a part takes it of the run that goes on, however long it slept before.
constexpr int kPartBits = 11;
constexpr std::uint32_t kStop = (1u << kPartBits) - 1;  // in place of a part
static_assert(ThreadPool::kMaxWorkers < kStop);

constexpr std::uint32_t run_of(std::uint32_t word) { return word >> kPartBits; }
constexpr int part_of(std::uint32_t word) { return static_cast<int>(word & kStop); }
constexpr std::uint32_t next_run(std::uint32_t word) { return (run_of(word) + 1) << kPartBits; }

// More threads than CPUs, or than a cgroup's quota lets run at a time, would only take turns.
int useful_threads(int n_workers) {
  const CpuCount cpus = count_cpus();
  const int at_once =
      cpus.quota ? static_cast<int>(std::ceil(std::min(*cpus.quota, 1e6))) : cpus.logical_cpus;
  return std::clamp(std::min(at_once, cpus.logical_cpus), 1, n_workers);
}

ThreadPool::Wait wait_for(int n_workers) {
  const bool cpu_for_each = useful_threads(std::max(1, n_workers)) <= count_cpus().usable_cpus();
  return cpu_for_each ? ThreadPool::Wait::kSpinThenSleep : ThreadPool::Wait::kSleep;
}

// Calls call(part) for parts of run `run`, until all are taken or another run has begun.
template <typename Call>
void take_parts(std::atomic<std::uint32_t>& word, std::uint32_t run, int n_parts, const Call& call) {
  std::uint32_t now = word.load(std::memory_order_acquire);
  while (run_of(now) == run && part_of(now) < n_parts) {
    if (!word.compare_exchange_weak(now, now + 1, std::memory_order_acq_rel, std::memory_order_acquire))
      continue;
    call(part_of(now));
    now = word.load(std::memory_order_acquire);
  }
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
  const int n_threads = useful_threads(n_workers_);  // the caller's is one of them
  threads_.reserve(static_cast<std::size_t>(n_threads - 1));
  try {
    for (int thread = 1; thread < n_threads; ++thread)
      threads_.emplace_back([this, thread] { thread_main(thread); });
  } catch (const std::system_error& error) {
    const std::size_t started = threads_.size();
    stop_threads();
    throw InvalidRequestError(
        fmt::format("cannot start thread {} of {}: {}", started + 2, n_threads, error.what()));
  }
}

void ThreadPool::stop_threads() noexcept {
  stopping_ = true;
  epoch_.exchange(next_run(epoch_.load()) | kStop);
  epoch_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::thread_main(int /*thread*/) {
  AdaptiveWait fork_wait(wait_ == Wait::kSpinThenSleep);
  for (std::uint32_t seen = 0;;) {
    fork_wait.wait_until(epoch_, [seen](std::uint32_t word) { return run_of(word) != seen; });
    const std::uint32_t word = epoch_.load(std::memory_order_acquire);
    seen = run_of(word);
    // stopping_ is read only where the word says so: a thread late for the last run must not race with its writer.
    if (part_of(word) == static_cast<int>(kStop) && stopping_) return;
    take_parts(epoch_, seen, n_workers_, [this](int worker) {
      call(worker);
      if (pending_.fetch_sub(1) == 1) pending_.notify_one();
    });
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

// The caller takes parts as well, and waits for parts, not for threads: one that the system does not let run holds up
// nothing but the part that it has taken.
void ThreadPool::run(WorkerFunction function) {
  MINFER_CHECK(!running_.exchange(true, std::memory_order_acquire),
               "a thread pool runs one function at a time");
  function_ = &function;
  if (threads_.empty()) {
    for (int worker = 0; worker < n_workers_; ++worker) call(worker);
  } else {
    pending_.store(static_cast<std::uint32_t>(n_workers_), std::memory_order_relaxed);
    const std::uint32_t word = next_run(epoch_.load(std::memory_order_relaxed));
    epoch_.exchange(word);  // publishes what is above
    epoch_.notify_all();
    take_parts(epoch_, run_of(word), n_workers_, [this](int worker) {
      call(worker);
      pending_.fetch_sub(1);
    });
    join_wait_.wait_until(pending_, [](std::uint32_t pending) { return pending == 0; });
  }
  const std::exception_ptr error = std::exchange(error_, nullptr);
  running_.store(false, std::memory_order_release);
  if (error) std::rethrow_exception(error);
}

}  // namespace minfer
