#include "tokenizer/stream_decoder.h"

#include <utility>

#include "tokenizer/utf8.h"

namespace minfer {

StreamDecoder::StreamDecoder(const Tokenizer& tokenizer, Options options)
    : tokenizer_(tokenizer),
      options_(options),
      strip_space_(options.at_start && tokenizer.adds_space_prefix()) {}

std::string StreamDecoder::push(int32_t id) {
  const TokenKind kind = tokenizer_.kind(id);
  std::string_view bytes = tokenizer_.token_bytes(id);
  if (strip_space_ && kind == TokenKind::kNormal && bytes.starts_with(' ')) bytes.remove_prefix(1);
  const bool special =
      kind == TokenKind::kControl || kind == TokenKind::kUnknown || kind == TokenKind::kUnused;
  // encode() puts a space before each text between special tokens.
  strip_space_ =
      tokenizer_.adds_space_prefix() && (kind == TokenKind::kControl || kind == TokenKind::kUserDefined);
  if (special && !options_.render_special) return {};
  pending_ += bytes;
  return take_complete();
}

std::string StreamDecoder::flush() {
  strip_space_ = options_.at_start && tokenizer_.adds_space_prefix();
  const std::string rest = std::exchange(pending_, {});
  return rest.empty() ? rest : std::string(kReplacementCharacter);
}

std::string StreamDecoder::take_complete() {
  std::string text;
  size_t at = 0;
  while (at < pending_.size()) {
    const Utf8Step step = decode_utf8(std::string_view(pending_).substr(at));
    if (step.status == Utf8Status::kTruncated) break;
    if (step.status == Utf8Status::kValid) {
      text.append(pending_, at, step.length);
    } else {
      text += kReplacementCharacter;
    }
    at += step.length;
  }
  pending_.erase(0, at);
  return text;
}

}  // namespace minfer
