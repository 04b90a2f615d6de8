#include "runtime/page_pool.h"

#include "base/check.h"

namespace minfer {

PagePool::PagePool(std::int32_t n_pages) : holders_(static_cast<std::size_t>(n_pages), 0) {}

std::int32_t PagePool::take() {
  std::int32_t page = next_fresh_;
  if (!free_.empty()) {
    page = free_.back();
    free_.pop_back();
  } else if (next_fresh_ < n_pages()) {
    ++next_fresh_;
  } else {
    throw OutOfMemoryError(fmt::format("all {} pages of the KV cache are in use", n_pages()));
  }
  holders_[static_cast<std::size_t>(page)] = 1;
  ++n_held_;
  return page;
}

void PagePool::share(std::int32_t page) {
  std::int32_t& holders = holders_.at(static_cast<std::size_t>(page));
  MINFER_CHECK(holders > 0, "page {} is free", page);
  ++holders;
}

void PagePool::release(std::int32_t page) {
  std::int32_t& holders = holders_.at(static_cast<std::size_t>(page));
  MINFER_CHECK(holders > 0, "page {} is free", page);
  if (--holders > 0) return;
  free_.push_back(page);
  --n_held_;
}

}  // namespace minfer
