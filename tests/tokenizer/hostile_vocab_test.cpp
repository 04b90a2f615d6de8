// Vocabularies that contradict themselves are refused with what is wrong.
#include <gtest/gtest.h>

#include <cmath>

#include "minfer/error.h"
#include "spec_builder.h"
#include "tokenizer/tokenizer.h"

namespace minfer::test {
namespace {

void expect_refused(const VocabSpec& spec, const std::string& message) {
  try {
    Tokenizer::create(spec);
    ADD_FAILURE() << "accepted; expected: " << message;
  } catch (const InvalidFileError& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(HostileVocab, WithoutTokens) { expect_refused(VocabSpec{}, "the vocabulary has no tokens"); }

TEST(HostileVocab, WithATokenTwice) {
  SpecBuilder builder = SpecBuilder::bytes();
  builder.token("a\n");
  builder.token("a\n", TokenKind::kControl);
  expect_refused(builder.spec, "tokens 256 and 257 of the vocabulary are both \"a\\n\"");
}

TEST(HostileVocab, WithSpecialIdsBeyondIt) {
  for (auto [field, name] : {std::pair{&VocabSpec::bos, "BOS"},
                             {&VocabSpec::eos, "EOS"},
                             {&VocabSpec::eot, "EOT"},
                             {&VocabSpec::eom, "EOM"},
                             {&VocabSpec::unk, "unknown"},
                             {&VocabSpec::pad, "padding"}}) {
    SpecBuilder builder = SpecBuilder::bytes();
    builder.spec.*field = 255;
    EXPECT_NO_THROW(Tokenizer::create(builder.spec));
    builder.spec.*field = 256;
    expect_refused(builder.spec,
                   std::string("the ") + name + " token is 256, but the vocabulary has 256 tokens");
    builder.spec.*field = 0xFFFFFFFF;
    EXPECT_THROW(Tokenizer::create(builder.spec), InvalidFileError);
  }
}

TEST(HostileVocab, WithListsOfOtherLengths) {
  SpecBuilder builder = SpecBuilder::sentencepiece();
  builder.spec.scores.pop_back();
  expect_refused(builder.spec, "the vocabulary has 3 tokens but 2 scores");
  builder.spec.kinds.pop_back();
  expect_refused(builder.spec, "the vocabulary has 3 tokens but 2 token types");
}

TEST(HostileVocab, WithValuesThatAreNone) {
  SpecBuilder builder = SpecBuilder::sentencepiece();
  builder.spec.scores[1] = std::nanf("");
  expect_refused(builder.spec, "the score of token 1 is not a number");
  builder.spec.kinds[2] = static_cast<TokenKind>(7);
  expect_refused(builder.spec, "token 2 of the vocabulary has the unknown type 7");
  builder.spec.kinds[2] = TokenKind::kByte;
  expect_refused(builder.spec, "token 2 of the vocabulary is a byte but reads \"</s>\"");
}

TEST(HostileVocab, WithByteTokensThatNameNoByte) {
  for (const char* text : {"<0x0G>", "<0x+1>", "<0x 1>", "<0x0>", "<0x00", "<0x-1>"}) {
    SpecBuilder builder = SpecBuilder::sentencepiece();
    builder.token(text, TokenKind::kByte);
    EXPECT_THROW(Tokenizer::create(builder.spec), InvalidFileError) << text;
  }
}

TEST(HostileVocab, WithMergesOfOtherThanTokens) {
  for (const auto& [merge, reason] : {std::pair{"", "is not two tokens"},
                                      {"ab", "is not two tokens"},
                                      {" ", "is not two tokens"},
                                      {"a ", "has a part that is not a token"},
                                      {"a xy", "has a part that is not a token"},
                                      {"a b c", "has a part that is not a token"},
                                      {"a b", "makes a text that is not a token"}}) {
    SpecBuilder builder = SpecBuilder::bytes();
    builder.spec.merges = {merge};
    expect_refused(builder.spec, std::string("merge 0 of the vocabulary, \"") + merge + "\", " + reason);
  }
}

TEST(HostileVocab, EmptyTokensAndRepeatedMergesAreHarmless) {
  SpecBuilder builder = SpecBuilder::bytes();
  builder.token("");
  builder.token("", TokenKind::kControl);
  const auto merged = static_cast<int32_t>(builder.merge("a", "b"));
  builder.merge("a", "b");
  const auto tokenizer = Tokenizer::create(builder.spec);
  EXPECT_EQ(tokenizer->encode("ab", true), std::vector<int32_t>({merged}));
  EXPECT_EQ(tokenizer->token_bytes(256), "");
}

}  // namespace
}  // namespace minfer::test
