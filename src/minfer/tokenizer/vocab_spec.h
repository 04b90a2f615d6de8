// What a tokenizer is made from: plain data, whatever file it came from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace minfer {

// The values of tokenizer.ggml.token_type.
enum class TokenKind : uint8_t {
  kNormal = 1,       // made by merging text
  kUnknown = 2,      // stands for text that the vocabulary cannot express
  kControl = 3,      // matched in text only where the caller allows special tokens
  kUserDefined = 4,  // matched in all text, before anything else
  kUnused = 5,       // never made
  kByte = 6,         // one raw byte, written <0x0A>
};

// Strings are views: they need to live only until Tokenizer::create() returns. Nothing here has been checked;
// Tokenizer::create() does that.
struct VocabSpec {
  enum class Model : uint8_t { kByteLevelBpe, kSentencePiece };

  Model model = Model::kByteLevelBpe;
  std::string pre_tokenizer;  // as in tokenizer.ggml.pre; ignored by SentencePiece
  std::vector<std::string_view>
      tokens;                    // by id. BPE: in GPT-2's byte alphabet; SentencePiece: U+2581 for space
  std::vector<float> scores;     // by id; SentencePiece only: the higher is merged first
  std::vector<TokenKind> kinds;  // by id; empty: all kNormal
  std::vector<std::string_view> merges;  // BPE only: "left right", the first merges first
  std::optional<uint32_t> bos, eos, eot, eom, unk, pad;
  std::optional<bool> add_bos;  // absent: what the tokenizer of that model does by itself
  bool add_eos = false;
  bool add_space_prefix = true;  // SentencePiece only
};

}  // namespace minfer
