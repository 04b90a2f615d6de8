#include "cli/synth/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/check.h"
#include "tokenizer/byte_alphabet.h"
#include "tokenizer/vocab_spec.h"

namespace minfer::cli {
namespace {

constexpr int kBytes = 256;
constexpr int kLetters = 26;
constexpr int kWords2 = kLetters * kLetters;
constexpr int kWords3 = kWords2 * kLetters;

// What tells the vocabularies of two families of models apart.
struct Family {
  std::string_view pre_tokenizer;
  int n_mergeable;                            // bytes and merged tokens of the real vocabulary
  std::span<const std::string_view> control;  // ids from n_mergeable
  std::size_t bos, eos, pad;                  // indices in `control`
  bool add_bos;
  std::string_view padding;  // name of the tokens beyond, with a number
  TokenKind padding_kind;
  std::string_view chat_template;
};

constexpr std::string_view kQwenControl[] = {"<|endoftext|>", "<|im_start|>", "<|im_end|>"};
constexpr std::string_view kLlamaControl[] = {"<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>",
                                              "<|end_header_id|>", "<|eot_id|>"};

constexpr Family kQwen = {
    "qwen2",
    151643,
    kQwenControl,
    0,
    2,
    0,
    false,
    "[PAD{}]",
    TokenKind::kUnused,
    "{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' + message.content + "
    "'<|im_end|>\\n' }}"
    "{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}"};

constexpr Family kLlama = {
    "llama-bpe",
    128000,
    kLlamaControl,
    0,
    4,
    1,
    true,
    "<|reserved_special_token_{}|>",
    TokenKind::kControl,
    "{{- bos_token }}{%- for message in messages %}{{- '<|start_header_id|>' + message.role + "
    "'<|end_header_id|>\\n\\n' + message.content + '<|eot_id|>' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif "
    "%}"};

const Family& family_of(std::string_view architecture) { return architecture == "llama" ? kLlama : kQwen; }

// Letter i as a token; word i of two or three letters, in alphabetical order.
std::string letter(int i) { return std::string(1, static_cast<char>('a' + i)); }
std::string word2(int i) { return letter(i / kLetters) + letter(i % kLetters); }
std::string word3(int i) { return word2(i / kLetters) + letter(i % kLetters); }

// Adds tokens and the merges that make them until there are enough. Every merge joins two tokens that are there
// already, and no two give the same token: word lengths and the leading space tell the stages apart.
class WordMaker {
 public:
  WordMaker(SynthVocabulary& vocabulary, std::size_t n_tokens)
      : vocabulary_(vocabulary), n_tokens_(n_tokens) {}

  void make() {
    for (int byte = 0; byte < kBytes; ++byte)
      vocabulary_.tokens.emplace_back(byte_to_alphabet(static_cast<std::uint8_t>(byte)));
    // All words of up to three letters, without and with a space before them (in this order, so that a word's letters
    // join before the space does).
    for (int i = 0; i < kWords2; ++i) add(letter(i / kLetters), letter(i % kLetters));
    for (int i = 0; i < kWords3; ++i) add(word2(i / kLetters), letter(i % kLetters));
    for (int i = 0; i < kLetters; ++i) add(space_, letter(i));
    for (int i = 0; i < kWords2; ++i) add(space_, word2(i));
    for (int i = 0; i < kWords3; ++i) add(space_, word3(i));
    // Then some of six and nine letters, and the latter after a space: the lengths of real tokens.
    for (int i = 0; !full(); ++i) {
      MINFER_CHECK(i < kWords3 * kWords3, "{} tokens are more than there are words", n_tokens_);
      const std::string head = word3(i % kWords3);
      const std::string six = head + word3((i % kWords3 + 1 + i / kWords3) % kWords3);
      add(head, six.substr(3));
      add(six, head);
      add(space_, six + head);
    }
  }

 private:
  bool full() const { return vocabulary_.tokens.size() >= n_tokens_; }

  void add(const std::string& left, const std::string& right) {
    if (full()) return;
    vocabulary_.tokens.push_back(left + right);
    vocabulary_.merges.push_back(left + ' ' + right);
  }

  SynthVocabulary& vocabulary_;
  std::size_t n_tokens_;
  std::string space_{byte_to_alphabet(' ')};
};

}  // namespace

int smallest_vocabulary(std::string_view architecture) {
  return kBytes + static_cast<int>(family_of(architecture).control.size());
}

SynthVocabulary make_vocabulary(std::string_view architecture, int n_vocab) {
  MINFER_CHECK(n_vocab >= smallest_vocabulary(architecture), "{} tokens", n_vocab);
  const Family& family = family_of(architecture);
  const int n_mergeable = std::min(family.n_mergeable, n_vocab - static_cast<int>(family.control.size()));
  SynthVocabulary vocabulary;
  WordMaker(vocabulary, static_cast<std::size_t>(n_mergeable)).make();
  vocabulary.kinds.assign(vocabulary.tokens.size(), static_cast<std::int32_t>(TokenKind::kNormal));
  for (const std::string_view token : family.control) vocabulary.tokens.emplace_back(token);
  vocabulary.kinds.resize(vocabulary.tokens.size(), static_cast<std::int32_t>(TokenKind::kControl));
  for (int i = 0; std::ssize(vocabulary.tokens) < n_vocab; ++i)
    vocabulary.tokens.push_back(fmt::format(fmt::runtime(family.padding), i));
  vocabulary.kinds.resize(vocabulary.tokens.size(), static_cast<std::int32_t>(family.padding_kind));

  const auto id = [&](std::size_t control) {
    return static_cast<std::uint32_t>(n_mergeable) + static_cast<std::uint32_t>(control);
  };
  vocabulary.bos = id(family.bos);
  vocabulary.eos = id(family.eos);
  vocabulary.pad = id(family.pad);
  vocabulary.add_bos = family.add_bos;
  vocabulary.pre_tokenizer = family.pre_tokenizer;
  vocabulary.chat_template = family.chat_template;
  return vocabulary;
}

}  // namespace minfer::cli
