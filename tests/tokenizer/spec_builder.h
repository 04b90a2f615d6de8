// Small vocabularies made in a test.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "tokenizer/vocab_spec.h"

namespace minfer::test {

class SpecBuilder {
 public:
  // Byte-level BPE that has the 256 bytes as tokens 0-255 (token b is byte b), with the GPT-2 pre-tokenizer.
  static SpecBuilder bytes();
  // SentencePiece with <unk>, <s>, </s> as tokens 0-2.
  static SpecBuilder sentencepiece();

  // Adds a token and answers its id.
  uint32_t token(std::string_view text, TokenKind kind = TokenKind::kNormal, float score = 0);
  // Adds the merge "left right", and its result as a token if it is not one.
  uint32_t merge(std::string_view left, std::string_view right);
  // The 256 tokens <0x00> to <0xFF>.
  void byte_tokens();

  VocabSpec spec;  // its strings are views into this object

 private:
  std::string_view keep(std::string_view text);

  std::deque<std::string> strings_;
};

}  // namespace minfer::test
