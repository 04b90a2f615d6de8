#include "tokenizer/byte_bpe.h"

#include <algorithm>
#include <functional>

#include "tokenizer/byte_alphabet.h"
#include "tokenizer/nfc.h"

namespace minfer {

ByteBpe::ByteBpe(const VocabSpec& spec, const Vocab& vocab)
    : vocab_(vocab),
      info_(find_pre_tokenizer(spec.pre_tokenizer)),
      pre_tokenizer_(info_.pattern),
      merges_(spec.merges, vocab) {
  for (int byte = 0; byte < 256; ++byte) {
    const auto id = vocab.find(byte_to_alphabet(static_cast<uint8_t>(byte)));
    byte_tokens_[byte] = id && vocab.is_mergeable(*id) ? *id : kNoToken;
  }
}

void ByteBpe::encode(std::string_view text, std::vector<int32_t>& ids) const {
  std::string normalized;
  if (info_.nfc) {
    normalized = to_nfc(text);
    text = normalized;
  }
  Workspace work;
  for (std::string_view word : pre_tokenizer_.split(text)) encode_word(word, work, ids);
}

void ByteBpe::encode_word(std::string_view word, Workspace& work, std::vector<int32_t>& ids) const {
  if (info_.whole_words_first) {
    if (const auto id = find_whole(word, work)) {
      ids.push_back(*id);
      return;
    }
  }
  const auto n = static_cast<int32_t>(word.size());
  work.symbols.resize(word.size());
  for (int32_t i = 0; i < n; ++i) {
    work.symbols[i] = {byte_tokens_[static_cast<uint8_t>(word[i])], i - 1, i + 1 < n ? i + 1 : -1};
  }
  merge_all(work);
  for (int32_t i = 0; i >= 0; i = work.symbols[i].next) {
    if (work.symbols[i].id == kNoToken) {
      append_unknown(vocab_, static_cast<uint8_t>(word[i]), ids);
    } else {
      ids.push_back(work.symbols[i].id);
    }
  }
}

std::optional<int32_t> ByteBpe::find_whole(std::string_view word, Workspace& work) const {
  work.word_text.clear();
  for (char byte : word) work.word_text += byte_to_alphabet(static_cast<uint8_t>(byte));
  const auto id = vocab_.find(work.word_text);
  return id && vocab_.is_mergeable(*id) ? id : std::nullopt;
}

void ByteBpe::merge_all(Workspace& work) const {
  auto& [symbols, queue, word_text] = work;
  queue.clear();
  for (size_t i = 0; i + 1 < symbols.size(); ++i) queue_merge(static_cast<int32_t>(i), work);
  while (!queue.empty()) {
    std::pop_heap(queue.begin(), queue.end(), std::greater<>());
    const MergeTable::Rule& rule = merges_.rule(static_cast<uint32_t>(queue.back() >> 32));
    const auto at = static_cast<int32_t>(queue.back() & UINT32_MAX);
    queue.pop_back();
    Symbol& left = symbols[at];
    if (left.id != rule.left || left.next < 0 || symbols[left.next].id != rule.right) continue;  // outdated
    Symbol& right = symbols[left.next];
    left.id = rule.merged;
    left.next = right.next;
    right.id = kGone;
    if (left.next >= 0) {
      symbols[left.next].prev = at;
      queue_merge(at, work);
    }
    if (left.prev >= 0) queue_merge(left.prev, work);
  }
}

// Queues the merge of a symbol with the next one, if there is a rule for them.
void ByteBpe::queue_merge(int32_t left, Workspace& work) const {
  const Symbol& symbol = work.symbols[left];
  const uint32_t rank = merges_.rank(symbol.id, work.symbols[symbol.next].id);
  if (rank == MergeTable::kNone) return;
  work.queue.push_back(uint64_t{rank} << 32 | static_cast<uint32_t>(left));
  std::push_heap(work.queue.begin(), work.queue.end(), std::greater<>());
}

}  // namespace minfer
