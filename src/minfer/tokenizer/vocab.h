// A checked vocabulary: what is known of each token, and the way from a text to its token.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tokenizer/packed_strings.h"
#include "tokenizer/token_index.h"
#include "tokenizer/vocab_spec.h"

namespace minfer {

class Vocab {
 public:
  // Copies what it keeps. Throws InvalidFileError naming the offending token or field.
  explicit Vocab(const VocabSpec& spec);
  Vocab(const Vocab&) = delete;
  Vocab& operator=(const Vocab&) = delete;

  int32_t size() const { return static_cast<int32_t>(kinds_.size()); }
  TokenKind kind(int32_t id) const { return kinds_[id]; }
  std::string_view text(int32_t id) const { return texts_[id]; }   // as the file writes it
  std::string_view bytes(int32_t id) const { return bytes_[id]; }  // what it stands for in text
  std::optional<int32_t> find(std::string_view text) const { return index_.find(text); }

  // Whether ordinary text may become this token by merging: never a control token, whatever the merges say.
  bool is_mergeable(int32_t id) const {
    return kinds_[id] == TokenKind::kNormal || kinds_[id] == TokenKind::kUserDefined;
  }

  std::optional<int32_t> unk() const { return unk_; }

 private:
  void add_texts(const VocabSpec& spec);
  void add_kinds(const VocabSpec& spec);
  void add_bytes(VocabSpec::Model model);
  void append_bytes(VocabSpec::Model model, int32_t id);

  PackedStrings texts_, bytes_;
  TokenIndex index_;
  std::vector<TokenKind> kinds_;
  std::optional<int32_t> unk_;
};

// The byte that a text such as <0x0A> names.
std::optional<uint8_t> parse_byte_token(std::string_view text);

// A special token's id, if it has one. Throws InvalidFileError where it is beyond the vocabulary.
std::optional<int32_t> checked_token_id(std::optional<uint32_t> id, std::string_view name,
                                        const Vocab& vocab);

// U+2581, SentencePiece's visible space.
inline constexpr std::string_view kVisibleSpace = "\xE2\x96\x81";

}  // namespace minfer
