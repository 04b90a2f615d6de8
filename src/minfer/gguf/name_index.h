// Finds records by name, and duplicates: by sorting, so that no choice of names makes it slow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace minfer::gguf {

class NameIndex {
 public:
  NameIndex() = default;
  // name_of(i) is the name of record i, 0 <= i < count; it must outlive the index.
  template <typename NameOf>
  NameIndex(std::uint32_t count, NameOf name_of) : sorted_(count) {
    for (std::uint32_t i = 0; i < count; ++i) sorted_[i] = {name_of(i), i};
    std::sort(sorted_.begin(), sorted_.end());
  }

  std::optional<std::uint32_t> find(std::string_view name) const {
    const auto it = std::lower_bound(sorted_.begin(), sorted_.end(), Entry{name, 0});
    if (it == sorted_.end() || it->first != name) return std::nullopt;
    return it->second;
  }

  // The second record of some name that occurs twice.
  std::optional<std::uint32_t> find_duplicate() const {
    const auto it = std::adjacent_find(sorted_.begin(), sorted_.end(),
                                       [](const Entry& a, const Entry& b) { return a.first == b.first; });
    if (it == sorted_.end()) return std::nullopt;
    return std::next(it)->second;
  }

 private:
  using Entry = std::pair<std::string_view, std::uint32_t>;
  std::vector<Entry> sorted_;
};

}  // namespace minfer::gguf
