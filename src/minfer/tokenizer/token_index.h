// Finds a token by its text: a hash table of ids with open addressing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tokenizer/packed_strings.h"

namespace minfer {

class TokenIndex {
 public:
  // Room for `n` texts. `texts` is where ids have their text; it must live, unmoved, as long as the index
  // does.
  TokenIndex(const PackedStrings& texts, size_t n);

  // Adds texts[id], or answers the id that has the same text already.
  std::optional<int32_t> insert(int32_t id);
  std::optional<int32_t> find(std::string_view text) const;

 private:
  struct Slot {
    uint32_t tag = 0;  // upper half of the hash: most wrong texts are seen without reading them
    int32_t id = -1;   // -1: empty
  };
  size_t slot_of(std::string_view text,
                 uint64_t hash) const;  // where it is, or the empty slot where it belongs

  const PackedStrings& texts_;
  std::vector<Slot> slots_;  // a power of two, at most half full
};

}  // namespace minfer
