#include "tokenizer/tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "minfer/error.h"
#include "tokenizer/byte_bpe.h"
#include "tokenizer/sentencepiece.h"
#include "tokenizer/stream_decoder.h"
#include "tokenizer/utf8.h"

namespace minfer {
namespace {

constexpr size_t kMaxTextBytes = size_t{1}
                                 << 29;  // positions are 32 bits wide, and visible spaces have 3 bytes

// Control tokens that end a turn or a text, in the vocabularies of the model families we run and their
// derivatives.
constexpr std::array<std::string_view, 12> kEndOfTurnTexts{
    "<|im_end|>",    "<|endoftext|>",   "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>",      "<|end|>", "</s>",
    "<end_of_turn>", "<|end_of_turn|>", "<EOT>",      "<|EOT|>",    "<｜end▁of▁sentence｜>"};

}  // namespace

struct Tokenizer::JoinedText {
  std::string text;
  std::vector<size_t> special_bounds;  // begin and end of each run of pieces that allow special tokens
};

Tokenizer::JoinedText Tokenizer::join(std::span<const Piece> pieces) {
  JoinedText joined;
  bool special = false;
  for (const Piece& piece : pieces) {
    if (piece.text.empty()) continue;
    if (piece.parse_special != special) joined.special_bounds.push_back(joined.text.size());
    special = piece.parse_special;
    joined.text += piece.text;
  }
  if (special) joined.special_bounds.push_back(joined.text.size());
  if (joined.text.size() > kMaxTextBytes) {
    throw InvalidRequestError(
        fmt::format("a text of {} bytes; the limit is {}", joined.text.size(), kMaxTextBytes));
  }
  if (!is_valid_utf8(joined.text)) joined.text = replace_invalid_utf8(joined.text, joined.special_bounds);
  return joined;
}

std::unique_ptr<Tokenizer> Tokenizer::create(const VocabSpec& spec) {
  return std::unique_ptr<Tokenizer>(new Tokenizer(spec));
}

Tokenizer::Tokenizer(const VocabSpec& spec) : vocab_(spec) {
  if (spec.model == VocabSpec::Model::kSentencePiece) {
    encoder_ = std::make_unique<SentencePiece>(spec, vocab_);
  } else {
    encoder_ = std::make_unique<ByteBpe>(spec, vocab_);
  }
  add_special_ids(spec);
  add_patterns();
}

void Tokenizer::add_special_ids(const VocabSpec& spec) {
  const bool sentencepiece = spec.model == VocabSpec::Model::kSentencePiece;
  bos_ = checked_token_id(spec.bos, "BOS", vocab_);
  eos_ = checked_token_id(spec.eos, "EOS", vocab_);
  eot_ = checked_token_id(spec.eot, "EOT", vocab_);
  pad_ = checked_token_id(spec.pad, "padding", vocab_);
  add_bos_ = bos_ && spec.add_bos.value_or(sentencepiece || find_pre_tokenizer(spec.pre_tokenizer).adds_bos);
  add_eos_ = eos_ && spec.add_eos;
  adds_space_prefix_ = sentencepiece && spec.add_space_prefix;
  for (const auto id : {eos_, eot_, checked_token_id(spec.eom, "EOM", vocab_)}) {
    if (id) end_of_generation_.push_back(*id);
  }
  for (std::string_view text : kEndOfTurnTexts) {
    const auto id = vocab_.find(text);
    if (id && vocab_.kind(*id) != TokenKind::kNormal) end_of_generation_.push_back(*id);
  }
}

void Tokenizer::add_patterns() {
  for (int32_t id = 0; id < vocab_.size(); ++id) {
    const TokenKind kind = vocab_.kind(id);
    if (vocab_.text(id).empty()) continue;
    if (kind == TokenKind::kControl || kind == TokenKind::kUnknown)
      control_patterns_.add(vocab_.text(id), id);
    if (kind == TokenKind::kUserDefined) user_defined_patterns_.add(vocab_.text(id), id);
  }
  control_patterns_.finish();
  user_defined_patterns_.finish();
}

std::vector<int32_t> Tokenizer::encode(std::span<const Piece> pieces) const {
  const JoinedText joined = join(pieces);
  const std::string_view text = joined.text;
  std::vector<int32_t> ids;
  size_t at = 0;
  for (const PatternMatch& match : find_special(joined)) {
    if (match.begin < at) continue;  // overlaps one that was taken
    if (match.begin > at) encoder_->encode(text.substr(at, match.begin - at), ids);
    ids.push_back(match.id);
    at = match.begin + match.length;
  }
  if (at < text.size()) encoder_->encode(text.substr(at), ids);
  return ids;
}

// All matches of special tokens, from left to right, the longest of a place first.
std::vector<PatternMatch> Tokenizer::find_special(const JoinedText& joined) const {
  const auto& [text, bounds] = joined;
  std::vector<PatternMatch> matches;
  user_defined_patterns_.find(text, 0, text.size(), matches);
  for (size_t i = 0; i < bounds.size(); i += 2)
    control_patterns_.find(text, bounds[i], bounds[i + 1], matches);
  std::sort(matches.begin(), matches.end(), [](const PatternMatch& a, const PatternMatch& b) {
    return a.begin < b.begin || (a.begin == b.begin && a.length > b.length);
  });
  return matches;
}

std::vector<int32_t> Tokenizer::encode(std::string_view text, bool parse_special) const {
  const Piece piece{text, parse_special};
  return encode(std::span(&piece, 1));
}

std::string Tokenizer::decode(std::span<const int32_t> ids, bool render_special) const {
  StreamDecoder decoder(*this, {.render_special = render_special, .at_start = true});
  std::string text;
  for (int32_t id : ids) text += decoder.push(id);
  return text += decoder.flush();
}

bool Tokenizer::is_end_of_generation(int32_t id) const {
  return std::find(end_of_generation_.begin(), end_of_generation_.end(), checked(id)) !=
         end_of_generation_.end();
}

int32_t Tokenizer::checked(int32_t id) const {
  if (id < 0 || id >= vocab_.size()) {
    throw InvalidRequestError(
        fmt::format("token {} is outside the vocabulary of {} tokens", id, vocab_.size()));
  }
  return id;
}

}  // namespace minfer
