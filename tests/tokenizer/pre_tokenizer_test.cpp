#include "tokenizer/pre_tokenizer.h"

#include <gtest/gtest.h>

#include "minfer/error.h"

namespace minfer {
namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view name, std::string_view text) {
  return PreTokenizer(find_pre_tokenizer(name).pattern).split(text);
}

TEST(PreTokenizer, CutsDigitsAsEachModelDoes) {
  EXPECT_EQ(split("gpt-2", "x 12345"), Words({"x", " 12345"}));
  EXPECT_EQ(split("llama-bpe", "x 12345"), Words({"x", " ", "123", "45"}));
  EXPECT_EQ(split("qwen2", "x 123"), Words({"x", " ", "1", "2", "3"}));
}

TEST(PreTokenizer, CutsContractionsAsEachModelDoes) {
  EXPECT_EQ(split("gpt-2", "I'll I'LL"), Words({"I", "'ll", " I", "'", "LL"}));
  EXPECT_EQ(split("qwen2", "I'll I'LL"), Words({"I", "'ll", " I", "'LL"}));
  EXPECT_EQ(split("llama-bpe", "it'\u017F"), Words({"it", "'\u017F"}));  // the long s folds to s
}

TEST(PreTokenizer, LeavesTheLastSpaceToTheWord) {
  EXPECT_EQ(split("gpt-2", "a   b  "), Words({"a", "  ", " b", "  "}));
  EXPECT_EQ(split("qwen2", "a \n\n  b"), Words({"a", " \n\n", " ", " b"}));
}

// U+0085 is white space and no separator, U+001C and U+180E are neither (they are in the sense of some engines).
TEST(PreTokenizer, TakesWhiteSpaceAsUnicodeDefinesIt) {
  EXPECT_EQ(split("gpt-2", "!\u0085!"), Words({"!", "\u0085", "!"}));
  EXPECT_EQ(split("gpt-2", "!\u3000\u2029!"), Words({"!", "\u3000", "\u2029", "!"}));
  EXPECT_EQ(split("gpt-2", "!\u001C!"), Words({"!\u001C!"}));
  EXPECT_EQ(split("gpt-2", "!\u180E!"), Words({"!\u180E!"}));
}

TEST(PreTokenizer, KeepsWhatNoAlternativeTakes) {
  EXPECT_EQ(PreTokenizer("b+").split("aabbcbd"), Words({"aa", "bb", "c", "b", "d"}));
}

TEST(PreTokenizer, StopsAPatternThatBacktracksWithoutBound) {
  const std::string text(5000, 'a');
  EXPECT_THROW(PreTokenizer("(a|aa)+$|(a+)+b").split(text + "c"), UnsupportedError);
}

TEST(PreTokenizer, NamesTheKnownOnesForAnUnknown) {
  EXPECT_THROW(find_pre_tokenizer(""), UnsupportedError);
  try {
    find_pre_tokenizer("tekken\n");
    FAIL();
  } catch (const UnsupportedError& error) {
    EXPECT_STREQ(
        error.what(),
        "the pre-tokenizer \"tekken\\n\" is not known; known are gpt-2, phi-2, llama-bpe, llama3, llama-v3, "
        "falcon3, pixtral, smaug-bpe, qwen2, deepseek-r1-qwen");
  }
}

}  // namespace
}  // namespace minfer
