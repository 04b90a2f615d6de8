#include "tokenizer/byte_bpe.h"

#include <gtest/gtest.h>

#include <random>

#include "minfer/error.h"
#include "spec_builder.h"
#include "tokenizer/tokenizer.h"

namespace minfer::test {
namespace {

using Ids = std::vector<int32_t>;

// The definition of BPE: as long as there is a rule for a pair of neighbours, apply the first rule at its leftmost
// pair.
std::vector<std::string> merge_simply(std::string_view word, const std::vector<std::string_view>& merges) {
  std::vector<std::string> parts;
  for (char c : word) parts.emplace_back(1, c);
  const auto apply = [&](std::string_view merge) {
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      if (parts[i] + ' ' + parts[i + 1] != merge) continue;
      parts[i] += parts[i + 1];
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      return true;
    }
    return false;
  };
  while (std::any_of(merges.begin(), merges.end(), apply)) {
  }
  return parts;
}

TEST(ByteBpe, MergesAsTheDefinitionSays) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    SpecBuilder builder = SpecBuilder::bytes();
    std::vector<std::string> made{"a", "b", "c"};
    for (int i = 0; i < 12; ++i) {
      const std::string left = made[random() % made.size()];
      const std::string right = made[random() % made.size()];
      builder.merge(left, right);
      made.push_back(left + right);
    }
    const auto tokenizer = Tokenizer::create(builder.spec);
    std::string word(random() % 60 + 1, 'a');
    for (char& c : word) c = static_cast<char>('a' + random() % 3);
    std::vector<std::string> parts;
    for (int32_t id : tokenizer->encode(word, false)) parts.emplace_back(tokenizer->token_bytes(id));
    EXPECT_EQ(parts, merge_simply(word, builder.spec.merges)) << word;
  }
}

TEST(ByteBpe, TakesAWholeWordFirstWhereTheModelDoes) {
  SpecBuilder builder = SpecBuilder::bytes();
  const auto whole = static_cast<int32_t>(builder.token("abc"));  // no merges lead to it
  EXPECT_EQ(Tokenizer::create(builder.spec)->encode("abc", false), Ids({'a', 'b', 'c'}));
  builder.spec.pre_tokenizer = "llama-bpe";
  EXPECT_EQ(Tokenizer::create(builder.spec)->encode("abc", false), Ids({whole}));
}

TEST(ByteBpe, NeverMergesTextToAControlToken) {
  for (const char* pre_tokenizer : {"gpt-2", "llama-bpe"}) {
    SpecBuilder builder = SpecBuilder::bytes();
    builder.spec.pre_tokenizer = pre_tokenizer;
    builder.token("ab", TokenKind::kControl);
    builder.merge("a", "b");
    EXPECT_EQ(Tokenizer::create(builder.spec)->encode("ab", false), Ids({'a', 'b'}));
  }
}

TEST(ByteBpe, ReadsTokensOutsideTheByteAlphabetAsTheyAre) {
  SpecBuilder builder = SpecBuilder::bytes();
  const auto raw = static_cast<int32_t>(builder.token("\xFF\xFE raw"));
  const auto japanese = static_cast<int32_t>(builder.token("日本"));
  const auto tokenizer = Tokenizer::create(builder.spec);
  EXPECT_EQ(tokenizer->token_bytes(raw), "\xFF\xFE raw");
  EXPECT_EQ(tokenizer->token_bytes(japanese), "日本");
  EXPECT_EQ(tokenizer->decode(Ids({raw, japanese}), false), "\uFFFD\uFFFD raw日本");
}

TEST(ByteBpe, SaysWhichByteHasNoToken) {
  SpecBuilder builder;
  builder.spec.pre_tokenizer = "gpt-2";
  builder.token("a");
  try {
    Tokenizer::create(builder.spec)->encode("ab", false);
    FAIL();
  } catch (const UnsupportedError& error) {
    EXPECT_STREQ(error.what(), "the vocabulary has no token for the byte 0x62 and no unknown token");
  }
  builder.spec.unk = builder.token("<unk>", TokenKind::kUnknown);
  EXPECT_EQ(Tokenizer::create(builder.spec)->encode("abba", false), Ids({0, 1, 0}));
}

}  // namespace
}  // namespace minfer::test
