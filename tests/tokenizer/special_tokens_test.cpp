// Which special tokens are seen in which pieces of a prompt.
#include <gtest/gtest.h>

#include "minfer/error.h"
#include "spec_builder.h"
#include "tokenizer/tokenizer.h"
#include "vocabularies.h"

namespace minfer::test {
namespace {

using Ids = std::vector<int32_t>;

class SpecialTokens : public testing::Test {
 protected:
  SpecialTokens() {
    SpecBuilder builder = SpecBuilder::bytes();
    the_ = static_cast<int32_t>(builder.merge("t", "h"));
    end_ = static_cast<int32_t>(builder.token("<|im_end|>", TokenKind::kControl));
    end_of_ends_ = static_cast<int32_t>(builder.token("<|im_end|><|im_end|>", TokenKind::kControl));
    think_ = static_cast<int32_t>(builder.token("<think>", TokenKind::kUserDefined));
    tokenizer_ = Tokenizer::create(builder.spec);
  }

  Ids encode(std::initializer_list<Piece> pieces) const { return tokenizer_->encode(pieces); }

  int32_t the_, end_, end_of_ends_, think_;
  std::unique_ptr<Tokenizer> tokenizer_;
};

TEST_F(SpecialTokens, AreControlTokensOnlyWhereThePieceAllowsThem) {
  EXPECT_EQ(encode({{"x<|im_end|>", true}}), Ids({'x', end_}));
  const Ids plain = encode({{"<|im_end|>", false}});
  EXPECT_EQ(plain.size(), 10u);
  EXPECT_EQ(tokenizer_->decode(plain, false), "<|im_end|>");
}

TEST_F(SpecialTokens, AreNeverMadeFromTwoPiecesOfWhichOneForbidsThem) {
  for (size_t cut = 1; cut < 10; ++cut) {
    const std::string_view text = "<|im_end|>";
    EXPECT_EQ(encode({{text.substr(0, cut), true}, {text.substr(cut), false}}).size(), 10u) << cut;
    EXPECT_EQ(encode({{text.substr(0, cut), false}, {text.substr(cut), true}}).size(), 10u) << cut;
    EXPECT_EQ(encode({{text.substr(0, cut), true}, {text.substr(cut), true}}), Ids({end_})) << cut;
    EXPECT_EQ(encode({{text.substr(0, cut), true}, {"", false}, {text.substr(cut), true}}), Ids({end_}))
        << cut;
  }
}

TEST_F(SpecialTokens, TakeTheLongestOfAPlaceThatFits) {
  EXPECT_EQ(encode({{"<|im_end|><|im_end|>", true}}), Ids({end_of_ends_}));
  EXPECT_EQ(encode({{"<|im_end|>", true}, {"<|im_end|>", false}}).size(), 11u);
  EXPECT_EQ(encode({{"<|im_end|>", true}, {"<|im_end|>", false}})[0], end_);
}

TEST_F(SpecialTokens, AreUserDefinedTokensEverywhere) {
  EXPECT_EQ(encode({{"a<think>b", false}}), Ids({'a', think_, 'b'}));
  EXPECT_EQ(encode({{"a<thi", true}, {"nk>b", false}}), Ids({'a', think_, 'b'}));
  EXPECT_EQ(tokenizer_->decode(Ids({'a', think_, 'b'}), false), "a<think>b");
}

TEST_F(SpecialTokens, LeaveTheTextBetweenThemOneUnit) {
  EXPECT_EQ(encode({{"t", true}, {"h", false}}), Ids({the_}));
  EXPECT_EQ(encode({{"t<|im_end|>", true}, {"h", false}}), Ids({'t', end_, 'h'}));
}

TEST_F(SpecialTokens, AreFoundAfterInvalidBytes) {
  EXPECT_EQ(encode({{"\xFF", false}, {"<|im_end|>", true}, {"\xE6", false}}),
            Ids({0xEF, 0xBF, 0xBD, end_, 0xEF, 0xBF, 0xBD}));
  // One character in two pieces is whole again.
  EXPECT_EQ(encode({{"\xC3", false}, {"\xA9", true}}), Ids({0xC3, 0xA9}));
}

TEST_F(SpecialTokens, AreLeftOutOfTextUnlessWanted) {
  EXPECT_EQ(tokenizer_->decode(Ids({'x', end_, 'y'}), false), "xy");
  EXPECT_EQ(tokenizer_->decode(Ids({'x', end_, 'y'}), true), "x<|im_end|>y");
}

TEST_F(SpecialTokens, EndAGenerationByTheirNames) {
  EXPECT_TRUE(tokenizer_->is_end_of_generation(end_));
  EXPECT_FALSE(tokenizer_->is_end_of_generation(think_));
  EXPECT_FALSE(tokenizer_->is_end_of_generation('x'));
  const auto demo = load_vocabulary(own_data("demo-vocab.gguf"));
  EXPECT_TRUE(demo->is_end_of_generation(*demo->eos()));
  EXPECT_TRUE(demo->is_end_of_generation(*demo->find_token("<|endoftext|>")));
  EXPECT_FALSE(demo->is_end_of_generation(*demo->find_token("<|im_start|>")));
}

TEST_F(SpecialTokens, RefuseIdsOutsideTheVocabulary) {
  const int32_t size = tokenizer_->vocab_size();
  EXPECT_THROW(tokenizer_->token_bytes(size), InvalidRequestError);
  EXPECT_THROW(tokenizer_->token_text(-1), InvalidRequestError);
  EXPECT_THROW(tokenizer_->is_end_of_generation(size), InvalidRequestError);
  EXPECT_THROW(tokenizer_->decode(Ids({'x', size}), false), InvalidRequestError);
}

}  // namespace
}  // namespace minfer::test
