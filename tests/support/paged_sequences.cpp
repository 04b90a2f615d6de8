#include "support/paged_sequences.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "ops/kv_geometry.h"

namespace minfer::test {
namespace {

constexpr std::int32_t kSparePages = 2;

std::int32_t length(const PagedSequence& s) { return s.n_past + s.n_new; }
std::int32_t page_count(const PagedSequence& s) { return (length(s) + kKvPageSize - 1) / kKvPageSize; }

std::vector<std::int32_t> scrambled(std::int32_t n) {
  std::vector<std::int32_t> pages(static_cast<std::size_t>(n));
  std::iota(pages.begin(), pages.end(), 0);
  std::shuffle(pages.begin(), pages.end(), std::mt19937(7));
  return pages;
}

}  // namespace

PagedBatch::PagedBatch(const std::vector<PagedSequence>& sequences) {
  std::int32_t n_pages = kSparePages;
  for (const PagedSequence& s : sequences) {
    n_pages += page_count(s);
    max_pages = std::max<std::int64_t>(max_pages, page_count(s) + 1);
  }
  n_cells = std::int64_t{n_pages} * kKvPageSize;
  const auto pages = scrambled(n_pages);
  auto next = pages.begin();
  for (std::size_t slot = 0; slot < sequences.size(); ++slot) {
    const PagedSequence& s = sequences[slot];
    const std::vector<std::int32_t> own(next, next + page_count(s));
    next += page_count(s);
    page_table.insert(page_table.end(), own.begin(), own.end());
    page_table.resize((slot + 1) * static_cast<std::size_t>(max_pages), -1);
    for (std::int32_t p = 0; p < length(s); ++p) {
      cells.push_back(own[static_cast<std::size_t>(p / kKvPageSize)] * kKvPageSize + p % kKvPageSize);
      if (p < s.n_past) continue;
      positions.push_back(p);
      slots.push_back(static_cast<std::int32_t>(slot));
    }
  }
}

}  // namespace minfer::test
