#include "tokenizer/sentencepiece.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "minfer/error.h"
#include "tokenizer/utf8.h"

namespace minfer {

struct SentencePiece::Later {  // the heap's order: higher scores first, then from left to right
  bool operator()(const Merge& a, const Merge& b) const {
    return a.score < b.score || (a.score == b.score && a.left > b.left);
  }
};

SentencePiece::SentencePiece(const VocabSpec& spec, const Vocab& vocab)
    : vocab_(vocab), scores_(spec.scores), add_space_prefix_(spec.add_space_prefix) {
  if (scores_.size() != spec.tokens.size()) {
    throw InvalidFileError(
        fmt::format("the vocabulary has {} tokens but {} scores", spec.tokens.size(), scores_.size()));
  }
  byte_tokens_.fill(-1);
  for (int32_t id = 0; id < vocab.size(); ++id) {
    if (std::isnan(scores_[id]))
      throw InvalidFileError(fmt::format("the score of token {} is not a number", id));
    if (vocab.kind(id) == TokenKind::kByte) byte_tokens_[static_cast<uint8_t>(vocab.bytes(id)[0])] = id;
    if (vocab.is_mergeable(id)) longest_token_ = std::max(longest_token_, vocab.text(id).size());
  }
}

void SentencePiece::encode(std::string_view text, std::vector<int32_t>& ids) const {
  Workspace work;
  work.text = with_visible_spaces(text);
  cut_into_characters(work);
  merge_all(work);
  for (int32_t i = 0; i >= 0; i = work.symbols[i].next) {
    const Symbol& symbol = work.symbols[i];
    if (symbol.id >= 0) {
      ids.push_back(symbol.id);
    } else {
      append_bytes(std::string_view(work.text).substr(symbol.begin, symbol.length), ids);
    }
  }
}

int32_t SentencePiece::find(std::string_view text) const {
  if (text.size() > longest_token_) return -1;
  const auto id = vocab_.find(text);
  return id && vocab_.is_mergeable(*id) ? *id : -1;
}

std::string SentencePiece::with_visible_spaces(std::string_view text) const {
  std::string visible;
  visible.reserve(text.size() + text.size() / 2 + kVisibleSpace.size());
  if (add_space_prefix_) visible += kVisibleSpace;
  for (char c : text) {
    if (c == ' ') {
      visible += kVisibleSpace;
    } else {
      visible += c;
    }
  }
  return visible;
}

void SentencePiece::cut_into_characters(Workspace& work) const {
  const std::string_view text = work.text;
  for (size_t at = 0; at < text.size();) {
    const size_t length = decode_utf8(text.substr(at)).length;
    const auto i = static_cast<int32_t>(work.symbols.size());
    const int32_t next = at + length < text.size() ? i + 1 : -1;
    work.symbols.push_back(
        {static_cast<int32_t>(at), static_cast<int32_t>(length), find(text.substr(at, length)), i - 1, next});
    at += length;
  }
}

void SentencePiece::merge_all(Workspace& work) const {
  auto& [text, symbols, queue] = work;
  for (size_t i = 0; i + 1 < symbols.size(); ++i) queue_merge(static_cast<int32_t>(i), work);
  while (!queue.empty()) {
    std::pop_heap(queue.begin(), queue.end(), Later());
    const Merge merge = queue.back();
    queue.pop_back();
    Symbol& left = symbols[merge.left];
    if (left.length == 0 || left.next < 0) continue;
    Symbol& right = symbols[left.next];
    if (left.length + right.length != merge.length) continue;  // outdated
    left.length = merge.length;
    left.id = merge.id;
    left.next = right.next;
    right.length = 0;
    if (left.next >= 0) {
      symbols[left.next].prev = merge.left;
      queue_merge(merge.left, work);
    }
    if (left.prev >= 0) queue_merge(left.prev, work);
  }
}

// Queues the merge of a symbol with the next one, if they make a token.
void SentencePiece::queue_merge(int32_t left, Workspace& work) const {
  const Symbol& symbol = work.symbols[left];
  const int32_t length = symbol.length + work.symbols[symbol.next].length;
  const int32_t id = find(std::string_view(work.text).substr(symbol.begin, length));
  if (id < 0) return;
  work.queue.push_back({scores_[id], left, length, id});
  std::push_heap(work.queue.begin(), work.queue.end(), Later());
}

void SentencePiece::append_bytes(std::string_view text, std::vector<int32_t>& ids) const {
  const bool has_all = std::all_of(text.begin(), text.end(),
                                   [&](char c) { return byte_tokens_[static_cast<uint8_t>(c)] >= 0; });
  for (char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (has_all) {
      ids.push_back(byte_tokens_[byte]);
    } else {
      append_unknown(vocab_, byte, ids);
    }
  }
}

}  // namespace minfer
