// What the tokenizer's fuzzer reads from its input, and what its seeds are written with:
//   byte 0       which vocabulary (kVocabularies, then one that the input itself describes)
//   byte 1       where the text is cut into pieces
//   vocabulary   only if the input describes it, see HostileSpec
//   the rest     the text
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tokenizer/vocab_spec.h"

namespace minfer {

// Files of tests/data/tokenizer and the pre-tokenizers that they are tried with.
struct FuzzVocabulary {
  std::string_view file, pre_tokenizer;
};
inline constexpr std::array kVocabularies{
    FuzzVocabulary{"demo-vocab.gguf", "qwen2"}, FuzzVocabulary{"demo-vocab.gguf", "llama-bpe"},
    FuzzVocabulary{"demo-vocab.gguf", "gpt-2"}, FuzzVocabulary{"spm-vocab.gguf", ""}};

class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  uint8_t byte() {  // 0 at the end
    if (rest_.empty()) return 0;
    const auto value = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return value;
  }
  std::string_view string() {  // a length byte and as many bytes, or those that are left
    const size_t length = byte();
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(text.size());
    return text;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// A vocabulary of at most 255 tokens: model, pre-tokenizer, presence and values of six ids, flags; a count and
// as many tokens (kind, score, text); a count and as many merges.
inline VocabSpec read_hostile_spec(FuzzInput& input) {
  constexpr std::array<std::string_view, 4> kPreTokenizers{"qwen2", "llama-bpe", "gpt-2", "no such"};
  VocabSpec spec;
  spec.model = input.byte() % 2 ? VocabSpec::Model::kSentencePiece : VocabSpec::Model::kByteLevelBpe;
  spec.pre_tokenizer = kPreTokenizers[input.byte() % kPreTokenizers.size()];
  const uint8_t present = input.byte();
  int bit = 0;
  for (auto* id : {&spec.bos, &spec.eos, &spec.eot, &spec.eom, &spec.unk, &spec.pad}) {
    if (present >> bit++ & 1) *id = input.byte();
  }
  const uint8_t flags = input.byte();
  spec.add_space_prefix = flags & 1;
  spec.add_eos = flags & 2;
  if (flags & 4) spec.add_bos = flags & 8;
  for (int n = input.byte(); n > 0; --n) {
    spec.kinds.push_back(static_cast<TokenKind>(input.byte()));
    spec.scores.push_back(static_cast<int8_t>(input.byte()));
    spec.tokens.push_back(input.string());
  }
  for (int n = input.byte(); n > 0; --n) spec.merges.push_back(input.string());
  return spec;
}

}  // namespace minfer
