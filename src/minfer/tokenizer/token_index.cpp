#include "tokenizer/token_index.h"

#include <bit>

#include "tokenizer/keyed_hash.h"

namespace minfer {
namespace {

uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }

}  // namespace

TokenIndex::TokenIndex(const PackedStrings& texts, size_t n)
    : texts_(texts), slots_(std::bit_ceil(2 * n + 2)) {}

size_t TokenIndex::slot_of(std::string_view text, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at].id >= 0 && (slots_[at].tag != tag_of(hash) || texts_[slots_[at].id] != text)) {
    at = (at + 1) & mask;
  }
  return at;
}

std::optional<int32_t> TokenIndex::insert(int32_t id) {
  const uint64_t hash = keyed_hash(texts_[id]);
  Slot& slot = slots_[slot_of(texts_[id], hash)];
  if (slot.id >= 0) return slot.id;
  slot = {tag_of(hash), id};
  return std::nullopt;
}

std::optional<int32_t> TokenIndex::find(std::string_view text) const {
  const Slot& slot = slots_[slot_of(text, keyed_hash(text))];
  if (slot.id < 0) return std::nullopt;
  return slot.id;
}

}  // namespace minfer
