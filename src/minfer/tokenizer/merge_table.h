// The merges of a BPE vocabulary: which two adjacent tokens become one, and which merge comes first.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizer/vocab.h"

namespace minfer {

class MergeTable {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Rule {
    int32_t left, right, merged;
  };

  // Merges that would make a control token of text are left out. Throws InvalidFileError naming a merge that
  // is malformed or whose parts or result are not tokens.
  MergeTable(const std::vector<std::string_view>& merges, const Vocab& vocab);

  // The rank of the rule for this pair, lower merges first, or kNone.
  uint32_t rank(int32_t left, int32_t right) const;
  const Rule& rule(uint32_t rank) const { return rules_[rank]; }

 private:
  size_t slot_of(int32_t left, int32_t right) const;

  std::vector<Rule> rules_;      // by rank
  std::vector<uint32_t> slots_;  // ranks by hash of the pair: a power of two, at most half full
};

}  // namespace minfer
