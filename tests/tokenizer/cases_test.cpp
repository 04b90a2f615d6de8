// Real vocabularies against the ids that the models' own tokenizers give.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tokenizer/nfc.h"
#include "tokenizer/utf8.h"
#include "vocabularies.h"

namespace minfer::test {
namespace {

using Ids = std::vector<int32_t>;

struct Case {
  std::string text;
  Ids ids, ids_special;
};

std::vector<Case> read_cases(const std::string& name) {
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

class RealVocabulary : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    MINFER_NEED_SHARED();
    tokenizer_ = load_tokenizer_of(shared_data("tokenizer/ggml-vocab-" + GetParam() + ".gguf"));
    cases_ = read_cases(GetParam());
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
                         [](const auto& param) {
                           std::string name = param.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace minfer::test
