#include "tokenizer/merge_table.h"

#include <fmt/format.h>

#include <bit>
#include <string>

#include "base/printable.h"
#include "minfer/error.h"
#include "tokenizer/keyed_hash.h"

namespace minfer {
namespace {

[[noreturn]] void refuse(size_t rank, std::string_view merge, std::string_view why) {
  throw InvalidFileError(
      fmt::format("merge {} of the vocabulary, \"{}\", {}", rank, printable(merge, 64), why));
}

// Most vocabularies list the merges in the order of the tokens that they make: looking at the last one and the one
// after it saves nearly all look-ups of a large table.
std::optional<int32_t> find_near(const Vocab& vocab, std::string_view text, int32_t last) {
  if (vocab.text(last) == text) return last;
  if (last + 1 < vocab.size() && vocab.text(last + 1) == text) return last + 1;
  return vocab.find(text);
}

MergeTable::Rule parse_rule(size_t rank, std::string_view merge, const Vocab& vocab, int32_t last_merged) {
  const size_t space = merge.find(' ', 1);  // a left side that starts with a space is one
  if (space == std::string_view::npos) refuse(rank, merge, "is not two tokens");
  const auto left = vocab.find(merge.substr(0, space));
  const auto right = vocab.find(merge.substr(space + 1));
  if (!left || !right) refuse(rank, merge, "has a part that is not a token");
  const auto merged = find_near(vocab, std::string(merge).erase(space, 1), last_merged);
  if (!merged) refuse(rank, merge, "makes a text that is not a token");
  return {*left, *right, *merged};
}

}  // namespace

MergeTable::MergeTable(const std::vector<std::string_view>& merges, const Vocab& vocab)
    : slots_(std::bit_ceil(2 * merges.size() + 2), kNone) {
  rules_.reserve(merges.size());
  int32_t last_merged = 0;
  for (size_t i = 0; i < merges.size(); ++i) {
    const Rule rule = parse_rule(i, merges[i], vocab, last_merged);
    last_merged = rule.merged;
    if (!vocab.is_mergeable(rule.merged)) continue;
    uint32_t& slot = slots_[slot_of(rule.left, rule.right)];
    if (slot != kNone) continue;  // the same merge again: it cannot come later than it already does
    slot = static_cast<uint32_t>(rules_.size());
    rules_.push_back(rule);
  }
}

size_t MergeTable::slot_of(int32_t left, int32_t right) const {
  const size_t mask = slots_.size() - 1;
  const uint64_t pair = uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right);
  size_t at = keyed_hash(pair) & mask;
  while (slots_[at] != kNone && (rules_[slots_[at]].left != left || rules_[slots_[at]].right != right)) {
    at = (at + 1) & mask;
  }
  return at;
}

uint32_t MergeTable::rank(int32_t left, int32_t right) const { return slots_[slot_of(left, right)]; }

}  // namespace minfer
