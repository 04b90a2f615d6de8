// Any text with any vocabulary: ids are in range, never control tokens where they are not allowed, the same however
// the text is cut into pieces, and become the text again; the stream decoder gives whole characters that add up to
// what decode() gives. Any vocabulary is accepted or refused with an exception of minfer/error.h.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "gguf/file.h"
#include "minfer/error.h"
#include "runtime/vocab.h"
#include "tokenizer/nfc.h"
#include "tokenizer/stream_decoder.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/utf8.h"
#include "tokenizer/vocab.h"
#include "tokenizer_input.h"

namespace minfer {
namespace {

using Ids = std::vector<int32_t>;

std::unique_ptr<Tokenizer> load(const FuzzVocabulary& vocabulary) {
  const auto file = gguf::File::open(std::filesystem::path(MINFER_TEST_DATA) / "tokenizer" / vocabulary.file);
  VocabSpec spec = read_vocab(file->reader());
  spec.pre_tokenizer = vocabulary.pre_tokenizer;
  return Tokenizer::create(spec);
}

const Tokenizer& fixed_vocabulary(size_t i) {
  static const auto tokenizers = [] {
    std::array<std::unique_ptr<Tokenizer>, kVocabularies.size()> loaded;
    std::transform(kVocabularies.begin(), kVocabularies.end(), loaded.begin(), load);
    return loaded;
  }();
  return *tokenizers[i];
}

// Pieces of lengths that follow from `seed`.
std::vector<Piece> cut(std::string_view text, uint8_t seed, bool parse_special) {
  std::vector<Piece> pieces;
  uint32_t state = seed;
  while (!text.empty()) {
    state = state * 1103515245 + 12345;
    const size_t length = std::min<size_t>(state >> 16 & 7, text.size());
    pieces.push_back({text.substr(0, length), parse_special});
    text.remove_prefix(length);
  }
  return pieces;
}

void check_decoding(const Tokenizer& tokenizer, const Ids& ids) {
  for (const bool render_special : {false, true}) {
    const std::string text = tokenizer.decode(ids, render_special);
    MINFER_CHECK(is_valid_utf8(text));
    StreamDecoder decoder(tokenizer, {.render_special = render_special, .at_start = true});
    std::string streamed;
    for (int32_t id : ids) {
      const std::string piece = decoder.push(id);
      MINFER_CHECK(is_valid_utf8(piece));
      streamed += piece;
    }
    MINFER_CHECK(streamed + decoder.flush() == text);
  }
}

void check_plain_ids(const Tokenizer& tokenizer, const Ids& ids, std::optional<uint32_t> unk) {
  for (int32_t id : ids) {
    MINFER_CHECK(id >= 0 && id < tokenizer.vocab_size());
    const bool text = tokenizer.kind(id) != TokenKind::kControl && tokenizer.kind(id) != TokenKind::kUnused;
    MINFER_CHECK(text || (unk && id == static_cast<int32_t>(*unk)), "token {} from plain text", id);
  }
}

Ids check_encoding(const Tokenizer& tokenizer, std::string_view text, uint8_t seed,
                   std::optional<uint32_t> unk) {
  const Ids plain = tokenizer.encode(text, false);
  const Ids special = tokenizer.encode(text, true);
  check_plain_ids(tokenizer, plain, unk);
  MINFER_CHECK(tokenizer.encode(cut(text, seed, false)) == plain);
  MINFER_CHECK(tokenizer.encode(cut(text, seed, true)) == special);
  MINFER_CHECK(tokenizer.encode(replace_invalid_utf8(text), true) == special);
  check_decoding(tokenizer, plain);
  check_decoding(tokenizer, special);
  return plain;
}

void fuzz_text(size_t vocabulary, uint8_t seed, std::string_view text) {
  const Tokenizer& tokenizer = fixed_vocabulary(vocabulary);
  const Ids ids = check_encoding(tokenizer, text, seed, std::nullopt);
  const std::string valid = replace_invalid_utf8(text);
  if (tokenizer.adds_space_prefix() && valid.find(kVisibleSpace) != std::string::npos)
    return;  // becomes a space
  const bool nfc = kVocabularies[vocabulary].pre_tokenizer == "qwen2";
  MINFER_CHECK(tokenizer.decode(ids, false) == (nfc ? to_nfc(valid) : valid));
  MINFER_CHECK(!nfc || to_nfc(to_nfc(valid)) == to_nfc(valid));
}

void fuzz_vocabulary(FuzzInput& input, uint8_t seed) {
  const VocabSpec spec = read_hostile_spec(input);
  try {
    const auto tokenizer = Tokenizer::create(spec);
    for (int32_t id = 0; id < tokenizer->vocab_size(); ++id) {
      MINFER_CHECK(tokenizer->token_text(id) == spec.tokens[id]);
      tokenizer->is_end_of_generation(id);
    }
    check_encoding(*tokenizer, input.rest(), seed, spec.unk);
  } catch (const InvalidFileError&) {
  } catch (const UnsupportedError&) {  // a pre-tokenizer, or a byte that the vocabulary lacks
  }
}

}  // namespace
}  // namespace minfer

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  minfer::FuzzInput input(data, size);
  const size_t vocabulary = input.byte() % (minfer::kVocabularies.size() + 1);
  const uint8_t seed = input.byte();
  if (vocabulary < minfer::kVocabularies.size()) {
    minfer::fuzz_text(vocabulary, seed, input.rest());
  } else {
    minfer::fuzz_vocabulary(input, seed);
  }
  return 0;
}
