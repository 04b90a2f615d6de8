// Many short strings, by index, in one buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"

namespace minfer {

class PackedStrings {
 public:
  static constexpr size_t kMaxBytes = std::numeric_limits<int32_t>::max();  // of all strings together

  void reserve(size_t count, size_t bytes) {
    ends_.reserve(count + 1);
    bytes_.reserve(bytes);
  }
  void add(std::string_view text) {
    bytes_ += text;
    finish();
  }
  // To build a string in place: append to buffer(), then finish().
  std::string& buffer() { return bytes_; }
  void finish() {
    MINFER_CHECK(bytes_.size() <= kMaxBytes, "{} bytes of strings", bytes_.size());
    ends_.push_back(static_cast<uint32_t>(bytes_.size()));
  }

  size_t size() const { return ends_.size() - 1; }
  size_t total_bytes() const { return bytes_.size(); }
  std::string_view operator[](size_t i) const { return {bytes_.data() + ends_[i], ends_[i + 1] - ends_[i]}; }

 private:
  std::string bytes_;
  std::vector<uint32_t> ends_{0};
};

}  // namespace minfer
