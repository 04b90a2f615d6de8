// Sharing out the rows of a node among the workers of its launch.
#pragma once

#include <algorithm>
#include <atomic>

#include "backends/cpu/kernel_table.h"

namespace minfer {

// Below this many bytes of memory traffic (or their equivalent in arithmetic) a fork-join costs more than it
// saves.
inline constexpr std::int64_t kForkBytes = 64 * 1024;

// Calls function(range, worker) for parts of [0, n) that start at multiples of granule; on the caller alone
// where n * cost_bytes is small.
template <typename Function>
void parallel_ranges(const Launch& launch, std::int64_t n, std::int64_t cost_bytes, std::int64_t granule,
                     const Function& function) {
  if (launch.pool.size() == 1 || n <= granule || n * cost_bytes < kForkBytes) {
    function(Range{0, n}, 0);
    return;
  }
  launch.pool.run([&](int worker, int n_workers) {
    const Range range = split_range(n, worker, n_workers, granule);
    if (!range.empty()) function(range, worker);
  });
}

// Calls function(item, worker) for every item of [0, n): whoever is free takes the next one. On the caller
// alone where cost_bytes, of all items together, is small.
template <typename Function>
void parallel_items(const Launch& launch, std::int64_t n, std::int64_t cost_bytes, const Function& function) {
  if (launch.pool.size() == 1 || n == 1 || cost_bytes < kForkBytes) {
    for (std::int64_t item = 0; item < n; ++item) function(item, 0);
    return;
  }
  std::atomic<std::int64_t> next{0};
  launch.pool.run([&](int worker, int) {
    for (std::int64_t item = next.fetch_add(1); item < n; item = next.fetch_add(1)) function(item, worker);
  });
}

// Calls function(range, worker) for the blocks of [0, n), the last one perhaps shorter; who computes a block is open.
template <typename Function>
void parallel_blocks(const Launch& launch, std::int64_t n, std::int64_t block, std::int64_t cost_bytes,
                     const Function& function) {
  parallel_items(launch, (n + block - 1) / block, n * cost_bytes, [&](std::int64_t item, int worker) {
    function(Range{item * block, std::min(n, (item + 1) * block)}, worker);
  });
}

}  // namespace minfer
