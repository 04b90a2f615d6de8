#include "spec_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "tokenizer/byte_alphabet.h"

namespace minfer::test {

SpecBuilder SpecBuilder::bytes() {
  SpecBuilder builder;
  builder.spec.pre_tokenizer = "gpt-2";
  for (int byte = 0; byte < 256; ++byte) builder.token(byte_to_alphabet(static_cast<uint8_t>(byte)));
  return builder;
}

SpecBuilder SpecBuilder::sentencepiece() {
  SpecBuilder builder;
  builder.spec.model = VocabSpec::Model::kSentencePiece;
  builder.spec.unk = builder.token("<unk>", TokenKind::kUnknown);
  builder.spec.bos = builder.token("<s>", TokenKind::kControl);
  builder.spec.eos = builder.token("</s>", TokenKind::kControl);
  return builder;
}

uint32_t SpecBuilder::token(std::string_view text, TokenKind kind, float score) {
  spec.tokens.push_back(keep(text));
  spec.kinds.push_back(kind);
  spec.scores.push_back(score);
  return static_cast<uint32_t>(spec.tokens.size() - 1);
}

uint32_t SpecBuilder::merge(std::string_view left, std::string_view right) {
  spec.merges.push_back(keep(fmt::format("{} {}", left, right)));
  const std::string merged = fmt::format("{}{}", left, right);
  const auto at = std::find(spec.tokens.begin(), spec.tokens.end(), merged);
  return at == spec.tokens.end() ? token(merged) : static_cast<uint32_t>(at - spec.tokens.begin());
}

void SpecBuilder::byte_tokens() {
  for (int byte = 0; byte < 256; ++byte) token(fmt::format("<0x{:02X}>", byte), TokenKind::kByte);
}

std::string_view SpecBuilder::keep(std::string_view text) { return strings_.emplace_back(text); }

}  // namespace minfer::test
