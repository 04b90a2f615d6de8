#include "runtime/kv_cache.h"

#include <algorithm>

#include "base/check.h"
#include "runtime/key_rotation.h"

namespace minfer {
namespace {

std::int64_t cell_of(const Sequence& sequence, int position) {
  const std::int64_t page = sequence.pages[static_cast<std::size_t>(position / kKvPageSize)];
  return page * kKvPageSize + position % kKvPageSize;
}

int pages_for(int positions) { return (positions + kKvPageSize - 1) / kKvPageSize; }

}  // namespace

KvCache::KvCache(Backend& device, int n_layer, const KvGeometry& geometry, std::int32_t n_pages,
                 bool spare_page)
    : device_(device), geometry_(geometry), pool_(n_pages) {
  const std::int64_t n_cells = (std::int64_t{n_pages} + (spare_page ? 1 : 0)) * kKvPageSize;
  const std::size_t bytes = geometry.row_bytes() * static_cast<std::size_t>(n_cells);
  try {
    for (int layer = 0; layer < n_layer; ++layer) {
      regions_.push_back({kNoBuffer, kNoBuffer, n_cells});
      regions_.back().k = device_.allocate(bytes);
      regions_.back().v = device_.allocate(bytes);
    }
  } catch (...) {
    release_regions();
    throw;
  }
}

KvCache::~KvCache() { release_regions(); }

void KvCache::release_regions() noexcept {
  for (const KvRegion& region : regions_) {
    if (region.k != kNoBuffer) device_.release(region.k);
    if (region.v != kNoBuffer) device_.release(region.v);
  }
}

KvRegion KvCache::kv_pair(int layer) const {
  MINFER_CHECK(layer >= 0 && layer < static_cast<int>(regions_.size()), "layer {} of {}", layer,
               regions_.size());
  return regions_[static_cast<std::size_t>(layer)];
}

void KvCache::reserve(Sequence& sequence, int n_new) {
  if (n_new == 0) return;
  const std::size_t before = sequence.pages.size();
  try {
    if (sequence.length % kKvPageSize != 0) make_writable(sequence, sequence.length / kKvPageSize);
    while (static_cast<int>(sequence.pages.size()) < pages_for(sequence.length + n_new))
      sequence.pages.push_back(pool_.take());
  } catch (...) {
    while (sequence.pages.size() > before) {
      pool_.release(sequence.pages.back());
      sequence.pages.pop_back();
    }
    throw;
  }
}

void KvCache::truncate(Sequence& sequence, int length) {
  MINFER_CHECK(length >= 0 && length <= sequence.length, "truncating {} positions to {}", sequence.length,
               length);
  sequence.length = length;
  while (static_cast<int>(sequence.pages.size()) > pages_for(length)) {
    pool_.release(sequence.pages.back());
    sequence.pages.pop_back();
  }
}

void KvCache::release(Sequence& sequence) {
  for (const std::int32_t page : sequence.pages) pool_.release(page);
  sequence = {};
}

Sequence KvCache::fork(const Sequence& sequence) {
  for (const std::int32_t page : sequence.pages) pool_.share(page);
  return sequence;
}

void KvCache::make_writable(Sequence& sequence, int page_index) {
  std::int32_t& page = sequence.pages[static_cast<std::size_t>(page_index)];
  if (!pool_.is_shared(page)) return;
  const std::int32_t copy = pool_.take();
  copy_page(page, copy);
  pool_.release(page);
  page = copy;
}

void KvCache::copy_page(std::int32_t from, std::int32_t to) {
  const std::size_t bytes = geometry_.row_bytes() * kKvPageSize;
  std::vector<std::byte> rows(bytes);
  device_.synchronize();
  for (const KvRegion& region : regions_) {
    for (const BufferId buffer : {region.k, region.v}) {
      device_.read(buffer, static_cast<std::size_t>(from) * bytes, rows);
      device_.write(buffer, static_cast<std::size_t>(to) * bytes, rows);
    }
  }
}

void KvCache::remove_range(Sequence& sequence, int first, int last, const KeyRotation& rotation) {
  MINFER_CHECK(0 <= first && first <= last && last <= sequence.length, "removing [{}, {}) of {}", first, last,
               sequence.length);
  if (first == last) return;
  const int new_length = sequence.length - (last - first);
  // Rows are written from `first` on: every page from there must be this sequence's own.
  for (int page = first / kKvPageSize; page < pages_for(new_length); ++page) make_writable(sequence, page);
  device_.synchronize();
  for (int layer = 0; layer < static_cast<int>(regions_.size()); ++layer)
    move_rows(sequence, first, last, rotation, layer);
  truncate(sequence, new_length);
}

// Calls visit(offset in a region, offset in rows, bytes) for each stretch of positions [first, last) within a page.
template <class Visit>
void KvCache::for_each_stretch(const Sequence& sequence, int first, int last, Visit visit) const {
  const std::size_t row = geometry_.row_bytes();
  for (int p = first; p < last;) {
    const int end = std::min(last, (p / kKvPageSize + 1) * kKvPageSize);
    visit(static_cast<std::size_t>(cell_of(sequence, p)) * row, static_cast<std::size_t>(p - first) * row,
          static_cast<std::size_t>(end - p) * row);
    p = end;
  }
}

void KvCache::move_rows(const Sequence& sequence, int first, int last, const KeyRotation& rotation,
                        int layer) {
  const KvRegion& region = regions_[static_cast<std::size_t>(layer)];
  const std::size_t row = geometry_.row_bytes();
  std::vector<std::byte> rows(row * static_cast<std::size_t>(sequence.length - last));
  const RowRotator rotator(geometry_, rotation, first - last);
  for (const BufferId buffer : {region.v, region.k}) {
    for_each_stretch(sequence, last, sequence.length,
                     [&](std::size_t cell, std::size_t at, std::size_t bytes) {
                       device_.read(buffer, cell, std::span(rows).subspan(at, bytes));
                     });
    for (std::size_t at = 0; buffer == region.k && at < rows.size(); at += row)
      rotator.rotate(std::span(rows).subspan(at, row));
    const int new_length = sequence.length - (last - first);
    for_each_stretch(sequence, first, new_length, [&](std::size_t cell, std::size_t at, std::size_t bytes) {
      device_.write(buffer, cell, std::span(rows).subspan(at, bytes));
    });
  }
}

}  // namespace minfer
