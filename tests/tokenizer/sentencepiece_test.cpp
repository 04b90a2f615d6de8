#include "tokenizer/sentencepiece.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "minfer/error.h"
#include "spec_builder.h"
#include "tokenizer/tokenizer.h"

namespace minfer::test {
namespace {

using Ids = std::vector<int32_t>;

// The definition: as long as two neighbours make a token, merge those that make the one of the highest score, the
// leftmost of equals.
std::vector<std::string> merge_simply(std::string_view word, const std::map<std::string, float>& scores) {
  std::vector<std::string> parts;
  for (char c : word) parts.emplace_back(1, c);
  while (true) {
    size_t best = parts.size();
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto at = scores.find(parts[i] + parts[i + 1]);
      if (at == scores.end()) continue;
      if (best == parts.size() || at->second > scores.at(parts[best] + parts[best + 1])) best = i;
    }
    if (best == parts.size()) return parts;
    parts[best] += parts[best + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

TEST(SentencePiece, MergesAsTheDefinitionSays) {
  std::mt19937 random(11);
  for (int round = 0; round < 50; ++round) {
    SpecBuilder builder = SpecBuilder::sentencepiece();
    builder.spec.add_space_prefix = false;
    std::map<std::string, float> scores{{"a", 0.f}, {"b", 0.f}, {"c", 0.f}};
    while (scores.size() < 15) {
      auto part = [&] {
        return std::next(scores.begin(), static_cast<std::ptrdiff_t>(random() % scores.size()))->first;
      };
      scores.emplace(part() + part(), -static_cast<float>(random() % 8));  // equal scores happen
    }
    for (const auto& [text, score] : scores) builder.token(text, TokenKind::kNormal, score);
    const auto tokenizer = Tokenizer::create(builder.spec);
    std::string word(random() % 60 + 1, 'a');
    for (char& c : word) c = static_cast<char>('a' + random() % 3);
    std::vector<std::string> parts;
    for (int32_t id : tokenizer->encode(word, false)) parts.emplace_back(tokenizer->token_bytes(id));
    EXPECT_EQ(parts, merge_simply(word, scores)) << word;
  }
}

TEST(SentencePiece, FallsBackToBytesOrOneUnknownTokenForARun) {
  SpecBuilder builder = SpecBuilder::sentencepiece();
  const auto space = static_cast<int32_t>(builder.token("\u2581"));
  const auto a = static_cast<int32_t>(builder.token("a"));
  EXPECT_EQ(Tokenizer::create(builder.spec)->encode("aéxa", false), Ids({space, a, 0, a}));
  const auto bytes = static_cast<int32_t>(builder.spec.tokens.size());
  builder.byte_tokens();
  const auto tokenizer = Tokenizer::create(builder.spec);
  EXPECT_EQ(tokenizer->encode("é", false), Ids({space, bytes + 0xC3, bytes + 0xA9}));
  EXPECT_EQ(tokenizer->decode(Ids({space, bytes + 0xC3, bytes + 0xA9}), false), "é");
}

TEST(SentencePiece, SaysWhichByteHasNoToken) {
  SpecBuilder builder = SpecBuilder::sentencepiece();
  builder.spec.unk.reset();
  EXPECT_THROW(Tokenizer::create(builder.spec)->encode("x", false), UnsupportedError);
}

TEST(SentencePiece, NeverMergesTextToAControlOrByteToken) {
  SpecBuilder builder = SpecBuilder::sentencepiece();
  builder.spec.add_space_prefix = false;
  for (const char* text : {"<", "s", ">", "<s", "0", "x", "A", "<0", "x0", "x00", "<0x00"})
    builder.token(text);
  builder.byte_tokens();
  const auto tokenizer = Tokenizer::create(builder.spec);
  for (const char* text : {"<s>", "<0x00>"}) {
    const Ids ids = tokenizer->encode(text, false);
    EXPECT_GT(ids.size(), 1u);
    EXPECT_EQ(tokenizer->decode(ids, false), text);
  }
}

TEST(SentencePiece, PutsASpaceBeforeEachTextAndTakesItOffAgain) {
  SpecBuilder builder = SpecBuilder::sentencepiece();
  const auto space = static_cast<int32_t>(builder.token("\u2581"));
  const auto a = static_cast<int32_t>(builder.token("a"));
  auto tokenizer = Tokenizer::create(builder.spec);
  EXPECT_EQ(tokenizer->encode("<s>a a</s>", true), Ids({1, space, a, space, a, 2}));
  EXPECT_EQ(tokenizer->decode(Ids({1, space, a, space, a, 2}), true), "<s>a a</s>");
  EXPECT_EQ(tokenizer->decode(Ids({1, space, a, space, a, 2}), false), "a a");
  EXPECT_EQ(tokenizer->encode("", true), Ids());
  builder.spec.add_space_prefix = false;
  tokenizer = Tokenizer::create(builder.spec);
  EXPECT_EQ(tokenizer->encode("a a", false), Ids({a, space, a}));
  EXPECT_EQ(tokenizer->decode(Ids({space, a}), false), " a");
}

}  // namespace
}  // namespace minfer::test
