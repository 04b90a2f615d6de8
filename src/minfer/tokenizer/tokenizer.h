// Text to token ids and back, for the vocabularies of GGUF models.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/pattern_set.h"
#include "tokenizer/segment_encoder.h"
#include "tokenizer/vocab.h"
#include "tokenizer/vocab_spec.h"

namespace minfer {

// A part of a prompt. Only where special tokens are allowed does text such as <|im_end|> become a control
// token: a template's own text, never what a user wrote.
struct Piece {
  std::string_view text;
  bool parse_special = false;
};

// Immutable: one object serves any number of threads. Ids given by a caller are checked
// (InvalidRequestError).
class Tokenizer {
 public:
  // Copies what it needs of the spec. Throws InvalidFileError for a vocabulary that contradicts itself,
  // naming token, merge or field, and UnsupportedError for a pre-tokenizer that is not known.
  static std::unique_ptr<Tokenizer> create(const VocabSpec& spec);

  // The ids of the pieces' text, without BOS or EOS. The pieces are one text: where it is cut into pieces
  // changes nothing but where control tokens are seen, and they are seen only within adjacent pieces that
  // allow them. Invalid UTF-8 becomes U+FFFD first. User-defined tokens are matched in all text. Where
  // several special tokens match, the leftmost wins, then the longest.
  std::vector<int32_t> encode(std::span<const Piece> pieces) const;
  std::vector<int32_t> encode(std::string_view text, bool parse_special) const;

  // The text of the ids: valid UTF-8, with U+FFFD for bytes that are not. Without `render_special`, control
  // and unknown tokens are left out. The inverse of encode(): SentencePiece's space before a text is taken
  // off again.
  std::string decode(std::span<const int32_t> ids, bool render_special) const;

  int32_t vocab_size() const { return vocab_.size(); }
  TokenKind kind(int32_t id) const { return vocab_.kind(checked(id)); }
  // What a token adds to the text, as raw bytes: perhaps a part of a character. Lives as long as this.
  std::string_view token_bytes(int32_t id) const { return vocab_.bytes(checked(id)); }
  // A token as the model file writes it.
  std::string_view token_text(int32_t id) const { return vocab_.text(checked(id)); }
  std::optional<int32_t> find_token(std::string_view text) const { return vocab_.find(text); }

  std::optional<int32_t> bos() const { return bos_; }
  std::optional<int32_t> eos() const { return eos_; }
  std::optional<int32_t> eot() const { return eot_; }
  std::optional<int32_t> pad() const { return pad_; }
  bool add_bos() const { return add_bos_; }  // a prompt starts with bos(); never true without one
  bool add_eos() const { return add_eos_; }
  // EOS, EOT, EOM, and control tokens that end a turn by their well-known names.
  bool is_end_of_generation(int32_t id) const;
  // Whether encode() puts a space before each text, which decode() takes off.
  bool adds_space_prefix() const { return adds_space_prefix_; }

 private:
  explicit Tokenizer(const VocabSpec& spec);
  struct JoinedText;  // a prompt's pieces as one text
  static JoinedText join(std::span<const Piece> pieces);
  std::vector<PatternMatch> find_special(const JoinedText& joined) const;
  int32_t checked(int32_t id) const;
  void add_special_ids(const VocabSpec& spec);
  void add_patterns();

  Vocab vocab_;
  std::unique_ptr<SegmentEncoder> encoder_;
  PatternSet control_patterns_, user_defined_patterns_;
  std::optional<int32_t> bos_, eos_, eot_, pad_;
  std::vector<int32_t> end_of_generation_;
  bool add_bos_, add_eos_, adds_space_prefix_;
};

}  // namespace minfer
