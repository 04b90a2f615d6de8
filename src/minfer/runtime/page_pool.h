// Which pages of the KV cache are free, and how many sequences hold each. Pages are numbers; where their cells
// lie is KvCache's business.
#pragma once

#include <cstdint>
#include <vector>

namespace minfer {

class PagePool {
 public:
  explicit PagePool(std::int32_t n_pages);

  // A page with one holder. Pages that were used before come first, so that memory is committed late. Throws
  // OutOfMemoryError when all are held.
  std::int32_t take();
  void share(std::int32_t page);    // one more holder
  void release(std::int32_t page);  // one holder less; free without any
  bool is_shared(std::int32_t page) const { return holders_[static_cast<std::size_t>(page)] > 1; }

  std::int32_t n_pages() const { return static_cast<std::int32_t>(holders_.size()); }
  std::int32_t n_held() const { return n_held_; }
  std::int32_t n_touched() const { return next_fresh_; }

 private:
  std::vector<std::int32_t> holders_;
  std::vector<std::int32_t> free_;  // used before, free now; last in, first out
  std::int32_t next_fresh_ = 0;     // pages from here on were never taken
  std::int32_t n_held_ = 0;
};

}  // namespace minfer
