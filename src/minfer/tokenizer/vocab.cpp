#include "tokenizer/vocab.h"

#include <fmt/format.h>

#include <charconv>

#include "base/printable.h"
#include "minfer/error.h"
#include "tokenizer/byte_alphabet.h"

namespace minfer {
namespace {

constexpr size_t kMaxTokens = size_t{1} << 24;  // sixty times the largest vocabulary in use

void check_sizes(const VocabSpec& spec) {
  const size_t n = spec.tokens.size();
  if (n == 0) throw InvalidFileError("the vocabulary has no tokens");
  if (n > kMaxTokens) {
    throw InvalidFileError(fmt::format("the vocabulary has {} tokens; the limit is {}", n, kMaxTokens));
  }
  if (!spec.kinds.empty() && spec.kinds.size() != n) {
    throw InvalidFileError(
        fmt::format("the vocabulary has {} tokens but {} token types", n, spec.kinds.size()));
  }
  size_t bytes = 0;
  for (std::string_view token : spec.tokens) bytes += token.size();
  if (bytes > PackedStrings::kMaxBytes) {
    throw InvalidFileError(fmt::format("the vocabulary's tokens have {} bytes", bytes));
  }
}

void append_with_spaces(std::string_view text, std::string& bytes) {
  for (size_t at = 0; at < text.size();) {
    const size_t space = std::min(text.find(kVisibleSpace, at), text.size());
    bytes.append(text, at, space - at);
    if (space == text.size()) break;
    bytes += ' ';
    at = space + kVisibleSpace.size();
  }
}

}  // namespace

Vocab::Vocab(const VocabSpec& spec) : index_(texts_, spec.tokens.size()) {
  check_sizes(spec);
  add_texts(spec);
  add_kinds(spec);
  add_bytes(spec.model);
  unk_ = checked_token_id(spec.unk, "unknown", *this);
}

void Vocab::add_texts(const VocabSpec& spec) {
  size_t bytes = 0;
  for (std::string_view token : spec.tokens) bytes += token.size();
  texts_.reserve(spec.tokens.size(), bytes);
  for (std::string_view token : spec.tokens) {
    const auto id = static_cast<int32_t>(texts_.size());
    texts_.add(token);
    if (token.empty()) continue;  // padding of some vocabularies: no text ever becomes it
    if (const auto same = index_.insert(id)) {
      throw InvalidFileError(
          fmt::format("tokens {} and {} of the vocabulary are both \"{}\"", *same, id, printable(token, 64)));
    }
  }
}

void Vocab::add_kinds(const VocabSpec& spec) {
  kinds_ = spec.kinds;
  kinds_.resize(spec.tokens.size(), TokenKind::kNormal);
  for (size_t id = 0; id < kinds_.size(); ++id) {
    if (kinds_[id] < TokenKind::kNormal || kinds_[id] > TokenKind::kByte) {
      throw InvalidFileError(fmt::format("token {} of the vocabulary has the unknown type {}", id,
                                         static_cast<int>(kinds_[id])));
    }
  }
}

void Vocab::add_bytes(VocabSpec::Model model) {
  bytes_.reserve(texts_.size(), texts_.total_bytes());
  for (int32_t id = 0; id < size(); ++id) {
    append_bytes(model, id);
    bytes_.finish();
  }
}

void Vocab::append_bytes(VocabSpec::Model model, int32_t id) {
  const std::string_view token = text(id);
  if (kind(id) == TokenKind::kByte) {
    const auto byte = parse_byte_token(token);
    if (!byte) {
      throw InvalidFileError(
          fmt::format("token {} of the vocabulary is a byte but reads \"{}\"", id, printable(token, 64)));
    }
    bytes_.buffer() += static_cast<char>(*byte);
    return;
  }
  const bool is_text = kind(id) == TokenKind::kNormal;
  if (is_text && model == VocabSpec::Model::kSentencePiece) {
    append_with_spaces(token, bytes_.buffer());
  } else if (!is_text || !append_alphabet_bytes(token, bytes_.buffer())) {
    bytes_.buffer() += token;
  }
}

std::optional<uint8_t> parse_byte_token(std::string_view text) {
  if (text.size() != 6 || !text.starts_with("<0x") || text[5] != '>') return std::nullopt;
  uint8_t byte = 0;
  const auto [end, error] = std::from_chars(text.data() + 3, text.data() + 5, byte, 16);
  if (error != std::errc() || end != text.data() + 5) return std::nullopt;
  return byte;
}

std::optional<int32_t> checked_token_id(std::optional<uint32_t> id, std::string_view name,
                                        const Vocab& vocab) {
  if (!id) return std::nullopt;
  if (*id >= static_cast<uint32_t>(vocab.size())) {
    throw InvalidFileError(
        fmt::format("the {} token is {}, but the vocabulary has {} tokens", name, *id, vocab.size()));
  }
  return static_cast<int32_t>(*id);
}

}  // namespace minfer
