#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <tuple>

#include "base/cpu_count.h"
#include "minfer/error.h"

namespace minfer {
namespace {

using Wait = ThreadPool::Wait;

class ThreadPoolTest : public testing::TestWithParam<std::tuple<int, Wait>> {
 protected:
  int n_workers() const { return std::get<0>(GetParam()); }
  ThreadPool pool_{n_workers(), std::get<1>(GetParam())};
};

INSTANTIATE_TEST_SUITE_P(Sizes, ThreadPoolTest,
                         testing::Combine(testing::Values(1, 2, 3, 8),
                                          testing::Values(Wait::kSleep, Wait::kSpinThenSleep)),
                         [](const auto& param_info) {
                           return std::to_string(std::get<0>(param_info.param)) +
                                  (std::get<1>(param_info.param) == Wait::kSleep ? "Sleep" : "Spin");
                         });

TEST_P(ThreadPoolTest, EveryWorkerRunsOnceAndItsWritesAreSeen) {
  // Plain ints: a missing happens-before edge shows under ThreadSanitizer.
  std::vector<int> calls(static_cast<std::size_t>(n_workers()), 0);
  constexpr int kRuns = 500;
  for (int run = 0; run < kRuns; ++run) {
    pool_.run([&](int worker, int n) {
      ASSERT_EQ(n, n_workers());
      ++calls[static_cast<std::size_t>(worker)];
    });
    ASSERT_EQ(*std::min_element(calls.begin(), calls.end()), run + 1);
    ASSERT_EQ(*std::max_element(calls.begin(), calls.end()), run + 1);
  }
}

TEST_P(ThreadPoolTest, RunsOnNoMoreThreadsThanCpus) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for (int run = 0; run < 100; ++run) {
    pool_.run([&](int, int) {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
  }
  EXPECT_LE(static_cast<int>(threads.size()), std::min(n_workers(), count_cpus().logical_cpus));
}

TEST_P(ThreadPoolTest, RethrowsTheLowestWorkersExceptionAndStaysUsable) {
  const auto fail_from = [&](int first) {
    pool_.run([first](int worker, int) {
      if (worker >= first) throw InvalidRequestError("worker " + std::to_string(worker));
    });
  };
  for (int first = 0; first < n_workers(); ++first) {
    try {
      fail_from(first);
      FAIL() << "nothing was thrown";
    } catch (const InvalidRequestError& error) {
      EXPECT_EQ(error.what(), "worker " + std::to_string(first));
    }
  }
  std::atomic<int> ran{0};
  pool_.run([&](int, int) { ++ran; });
  EXPECT_EQ(ran, n_workers());
}

TEST_P(ThreadPoolTest, WakesWorkersThatWentToSleep) {
  std::atomic<int> ran{0};
  for (int round = 0; round < 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // far beyond the spin time
    pool_.run([&](int worker, int) {
      if (worker != 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));  // so that the caller sleeps too
      ++ran;
    });
  }
  EXPECT_EQ(ran, 3 * n_workers());
}

TEST(ThreadPool, RefusesToRunInsideARun) {
  ThreadPool pool(2, Wait::kSleep);
  const auto nested = [&] { pool.run([&](int, int) { pool.run([](int, int) {}); }); };
  EXPECT_THROW(nested(), InternalError);
}

TEST(ThreadPool, RefusesSizesOutOfRange) {
  EXPECT_THROW(ThreadPool(0), InvalidRequestError);
  EXPECT_THROW(ThreadPool(-3), InvalidRequestError);
  EXPECT_THROW(ThreadPool(ThreadPool::kMaxWorkers + 1), InvalidRequestError);
}

TEST(ThreadPool, SpinsWhereEachThreadHasACpu) {
  const CpuCount cpus = count_cpus();
  EXPECT_EQ(ThreadPool(cpus.usable_cpus()).wait_mode(), Wait::kSpinThenSleep);
  if (cpus.quota) GTEST_SKIP() << "rounded down for the CPUs to spin on, up for the threads";
  EXPECT_EQ(ThreadPool(16 * cpus.logical_cpus).wait_mode(), Wait::kSpinThenSleep);
}

TEST(ThreadPool, AThreadThatIsHeldUpHoldsUpItsPartAlone) {
  if (count_cpus().logical_cpus < 2) GTEST_SKIP() << "there is one CPU, so one thread";
  ThreadPool pool(16);
  std::atomic<int> done{0};
  bool others_ran = false;
  pool.run([&](int worker, int n_workers) {
    if (worker == 0) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      while (done < n_workers - 1 && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      others_ran = done == n_workers - 1;
    } else {
      ++done;
    }
  });
  EXPECT_TRUE(others_ran);
}

// Seconds of all threads of this process.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

TEST(ThreadPool, SleepsWhileThereIsNothingToDo) {
  ThreadPool pool(std::max(2, count_cpus().usable_cpus()));
  pool.run([](int, int) {});
  const double before = cpu_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(cpu_seconds() - before, 0.25);  // spinning: 0.5 a thread
}

// The CPU time of 300 fork-joins, in each of n_pools pools at once.
double cpu_seconds_of(int n_pools) {
  std::atomic<std::uint64_t> sink{0};
  const double before = cpu_seconds();
  std::vector<std::thread> engines;
  for (int i = 0; i < n_pools; ++i) {
    engines.emplace_back([&sink] {
      ThreadPool pool(count_cpus().usable_cpus());
      for (int run = 0; run < 300; ++run) {
        pool.run([&](int worker, int) {
          auto value = static_cast<std::uint64_t>(worker);
          for (int step = 0; step < 50'000; ++step)
            value = value * 6364136223846793005u + 1442695040888963407u;
          sink += value;
        });
      }
    });
  }
  for (std::thread& engine : engines) engine.join();
  return cpu_seconds() - before;
}

// A pool that spun for workers without a CPU would spin a time slice (milliseconds) for each of its runs (50 us).
TEST(ThreadPool, SeveralPoolsDoNotSpinEachOtherToDeath) {
  constexpr int kPools = 4;
  const double alone = cpu_seconds_of(1);
  EXPECT_LT(cpu_seconds_of(kPools), 4 * kPools * alone + 0.1);
}

TEST(ThreadPool, SurvivesOversubscription) {
  // 2000 fork-joins of 16 workers on any number of CPUs: milliseconds when waiters sleep, minutes when they
  // spin a time slice away. The bound leaves room for sanitizers and a busy machine.
  ThreadPool pool(std::max(16, 4 * count_cpus().usable_cpus()));
  const auto start = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> sum{0};
  for (int run = 0; run < 2000; ++run) pool.run([&](int worker, int) { sum += worker; });
  EXPECT_EQ(sum, 2000LL * pool.size() * (pool.size() - 1) / 2);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(SplitRange, CoversAllInOrderByWholeGranules) {
  for (const std::int64_t n : {0, 1, 7, 64, 65, 1000}) {
    for (const int n_workers : {1, 2, 3, 8, 13}) {
      for (const std::int64_t granule : {1, 4, 32}) {
        std::int64_t next = 0, smallest = n, largest = 0;
        for (int worker = 0; worker < n_workers; ++worker) {
          const Range range = split_range(n, worker, n_workers, granule);
          ASSERT_EQ(range.begin, next);
          ASSERT_LE(range.begin, range.end);
          ASSERT_TRUE(range.begin % granule == 0 || range.empty());
          const std::int64_t granules = (range.end - range.begin + granule - 1) / granule;
          smallest = std::min(smallest, granules);
          largest = std::max(largest, granules);
          next = range.end;
        }
        ASSERT_EQ(next, n);
        ASSERT_LE(largest - smallest, 1);
      }
    }
  }
}

TEST(SplitRange, DoesNotOverflow) {
  const std::int64_t n = std::int64_t{1} << 40;
  EXPECT_EQ(split_range(n, 1023, 1024), (Range{n / 1024 * 1023, n}));
}

}  // namespace
}  // namespace minfer
