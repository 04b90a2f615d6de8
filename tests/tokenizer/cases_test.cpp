// Vocabularies against the ids that other tokenizers give: the models' own and SentencePiece.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tokenizer/nfc.h"
#include "vocabularies.h"

namespace minfer::test {
namespace {

using Ids = std::vector<int32_t>;

struct Case {
  std::string text;
  Ids ids, ids_special;
};

std::vector<Case> read_shared_cases(const std::string& name) {
  std::vector<Case> cases;
  for (const auto& entry : read_json(shared_data("tokenizer/" + name + ".json"))) {
    const Ids ids = entry.at("ids");
    cases.push_back({entry.at("text"), ids, entry.value("ids_special", ids)});
  }
  return cases;
}

bool has_control_token(const Tokenizer& tokenizer, const Ids& ids) {
  return std::any_of(ids.begin(), ids.end(),
                     [&](int32_t id) { return tokenizer.kind(id) == TokenKind::kControl; });
}

std::string test_name(const testing::TestParamInfo<std::string>& param) {
  std::string name = param.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class RealVocabulary : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    MINFER_NEED_SHARED();
    tokenizer_ = load_vocabulary(shared_vocabulary(GetParam()));
    cases_ = read_shared_cases(GetParam());
    ASSERT_EQ(cases_.size(), 304u);
  }

  std::unique_ptr<Tokenizer> tokenizer_;
  std::vector<Case> cases_;
};

TEST_P(RealVocabulary, GivesTheIdsOfTheModelsOwnTokenizer) {
  int with_control = 0;
  for (const Case& c : cases_) {
    EXPECT_EQ(tokenizer_->encode(c.text, true), c.ids_special) << c.text;
    if (has_control_token(*tokenizer_, c.ids)) {
      ++with_control;  // made with special tokens parsed, so it says nothing of plain text
    } else {
      EXPECT_EQ(tokenizer_->encode(c.text, false), c.ids) << c.text;
    }
  }
  EXPECT_EQ(with_control, GetParam() == "qwen2" ? 1 : 0);
}

TEST_P(RealVocabulary, DecodesToTheTextAgain) {
  for (const Case& c : cases_) {
    const std::string text = GetParam() == "qwen2" ? to_nfc(c.text) : c.text;
    EXPECT_EQ(tokenizer_->decode(c.ids, true), text);
    EXPECT_EQ(tokenizer_->decode(c.ids_special, true), text);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RealVocabulary, testing::Values("qwen2", "llama-bpe", "llama-spm", "gpt-2"),
                         test_name);

TEST(Qwen2, GivesTheIdsThatUsersCompareWith) {
  MINFER_NEED_SHARED();
  const auto tokenizer = load_vocabulary(shared_vocabulary("qwen2"));
  EXPECT_EQ(tokenizer->encode("->", false), Ids({405}));
  EXPECT_EQ(tokenizer->encode("(x):\n", false), Ids({2075, 982}));
  EXPECT_EQ(tokenizer->encode("1234567", false), Ids({16, 17, 18, 19, 20, 21, 22}));
  EXPECT_EQ(tokenizer->encode("   x", false), Ids({256, 856}));
  EXPECT_EQ(tokenizer->encode("I'LL don't", false), Ids({40, 6, 4086, 1513, 944}));
  EXPECT_EQ(tokenizer->encode("e\u0301 é", false).size(), 2u);
}

class DemoVocabulary : public testing::TestWithParam<std::string> {};

TEST_P(DemoVocabulary, GivesTheIdsOfAnIndependentTokenizer) {
  const auto tokenizer = load_vocabulary(own_data("demo-vocab.gguf"), GetParam());
  const auto cases = read_json(own_data("demo-cases.json")).at("cases");
  ASSERT_EQ(cases.size(), 120u);
  for (const auto& entry : cases) {
    const std::string text = entry.at("text");
    const Ids ids = entry.at(GetParam());
    EXPECT_EQ(tokenizer->encode(text, false), ids) << text;
    EXPECT_EQ(tokenizer->decode(ids, false), GetParam() == "qwen2" ? to_nfc(text) : text);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DemoVocabulary,
                         testing::Values("qwen2", "llama-bpe", "gpt-2", "deepseek-r1-qwen"), test_name);

TEST(DemoVocabulary, ParsesSpecialTokensAsAnIndependentTokenizerDoes) {
  const auto tokenizer = load_vocabulary(own_data("demo-vocab.gguf"));
  const auto cases = read_json(own_data("demo-cases.json")).at("cases");
  ASSERT_EQ(cases.size(), 120u);
  for (const auto& entry : cases) {
    const std::string text = entry.at("text");
    const Ids ids = entry.at("qwen2_special");
    EXPECT_EQ(tokenizer->encode(text, true), ids) << text;
    EXPECT_EQ(tokenizer->encode(text, false) == ids, !has_control_token(*tokenizer, ids)) << text;
  }
}

TEST(SentencePieceVocabulary, GivesTheIdsOfSentencePiece) {
  const auto tokenizer = load_vocabulary(own_data("spm-vocab.gguf"));
  const auto cases = read_json(own_data("spm-cases.json")).at("cases");
  ASSERT_EQ(cases.size(), 120u);
  for (const auto& entry : cases) {
    const std::string text = entry.at("text");
    const Ids ids = entry.at("ids");
    EXPECT_EQ(tokenizer->encode(text, false), ids) << text;
    EXPECT_EQ(tokenizer->decode(ids, false), text);
  }
}

TEST(Vocabulary, AddsBosAsItsFileOrItsKindSays) {
  EXPECT_FALSE(load_vocabulary(own_data("demo-vocab.gguf"))->add_bos());
  const auto sentencepiece = load_vocabulary(own_data("spm-vocab.gguf"));
  EXPECT_TRUE(sentencepiece->add_bos());
  EXPECT_EQ(sentencepiece->bos(), 1);
  MINFER_NEED_SHARED();
  EXPECT_TRUE(load_vocabulary(shared_vocabulary("llama-bpe"))->add_bos());  // its file does not say
  EXPECT_FALSE(load_vocabulary(shared_vocabulary("gpt-2"))->add_bos());
}

}  // namespace
}  // namespace minfer::test
