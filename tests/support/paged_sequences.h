// The index inputs of a batch over paged sequences, with physical pages in a scrambled order.
#pragma once

#include <cstdint>
#include <vector>

namespace minfer::test {

// n_past positions are in the cache; the batch holds the next n_new tokens.
struct PagedSequence {
  std::int32_t n_past = 0;
  std::int32_t n_new = 0;
};

struct PagedBatch {
  explicit PagedBatch(const std::vector<PagedSequence>& sequences);

  std::vector<std::int32_t> positions;   // (n_tokens)
  std::vector<std::int32_t> slots;       // (n_tokens)
  std::vector<std::int32_t> page_table;  // (n_slots, max_pages), -1 where a sequence has no page
  std::int64_t max_pages = 0;            // one more than the longest sequence needs
  std::int64_t n_cells = 0;              // with pages that no sequence owns
  std::vector<std::int32_t> cells;       // of every position of every sequence, new tokens included, in order
};

}  // namespace minfer::test
