#include "cli/tokenize.h"

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "minfer/error.h"
#include "support/data.h"

namespace minfer::cli {
namespace {

const std::filesystem::path kModel = test::test_data("tokenizer/demo-vocab.gguf");

std::string tokenized(const std::string& json, bool special = false) {
  std::istringstream in(json);
  std::ostringstream out;
  tokenize({.model = kModel, .special = special, .json = true, .text = ""}, in, out);
  return out.str();
}

std::string detokenized(const std::string& json, bool hide_special = false) {
  std::istringstream in(json);
  std::ostringstream out;
  detokenize({.model = kModel, .hide_special = hide_special}, in, out);
  return out.str();
}

void expect_refused(const std::function<void()>& command, const std::string& message) {
  try {
    command();
    ADD_FAILURE() << "accepted; expected: " << message;
  } catch (const InvalidRequestError& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(Tokenize, TurnsAnArrayOfStringsIntoAnArrayOfIds) {
  EXPECT_EQ(tokenized(R"(["Once upon a time", ""])"), "[[518,511,258,427],[]]\n");
  EXPECT_EQ(tokenized("[]"), "[]\n");
}

TEST(Tokenize, ParsesSpecialTokensWhereAsked) {
  EXPECT_EQ(tokenized(R"(["<|im_end|>"])", true), "[[4095]]\n");
  EXPECT_EQ(tokenized(R"(["<|im_end|>"])", false), "[[27,91,302,62,414,91,29]]\n");
}

TEST(Tokenize, PrintsIdsAndTextsOfATextGivenAsArgument) {
  std::istringstream in;
  std::ostringstream out;
  tokenize({.model = kModel, .text = "a time\n\xC3\xA9"}, in, out);
  EXPECT_EQ(out.str(),
            "     64  \"a\"\n"
            "    427  \" time\"\n"
            "    198  \"\\n\"\n"
            "    127  \"\\xc3\"\n"
            "    102  \"\\xa9\"\n");
}

TEST(Tokenize, RefusesOtherInputThanAnArrayOfStrings) {
  expect_refused([] { tokenized("[\"a\""); }, "standard input is not JSON; expected is an array of strings");
  expect_refused([] { tokenized("[\"\xFF\"]"); },
                 "standard input is not JSON; expected is an array of strings");
  expect_refused([] { tokenized("{}"); }, "standard input is a JSON object; expected is an array of strings");
  expect_refused([] { tokenized("[\"a\", 1]"); }, "element 1 is a number, not a string");
}

TEST(Detokenize, IsTheReverse) {
  EXPECT_EQ(detokenized("[[518,511,258,427],[]]"), "[\"Once upon a time\",\"\"]\n");
  EXPECT_EQ(detokenized("[[518,4095]]"), "[\"Once<|im_end|>\"]\n");
  EXPECT_EQ(detokenized("[[518,4095]]", true), "[\"Once\"]\n");
}

TEST(Detokenize, WritesBytesThatAreNoTextAsReplacementCharacters) {
  EXPECT_EQ(detokenized("[[127]]"), "[\"\uFFFD\"]\n");
}

TEST(Detokenize, RefusesWhatIsNoTokenId) {
  const std::string expected = " where a token id from 0 to 4095 is expected";
  expect_refused([] { detokenized("[[1],[4096]]"); }, "element 1 has 4096" + expected);
  expect_refused([] { detokenized("[[-1]]"); }, "element 0 has -1" + expected);
  expect_refused([] { detokenized("[[1.5]]"); }, "element 0 has 1.5" + expected);
  expect_refused([] { detokenized("[[18446744073709551615]]"); },
                 "element 0 has 18446744073709551615" + expected);
  expect_refused([] { detokenized("[[null]]"); }, "element 0 has a null" + expected);
  expect_refused([] { detokenized("[3]"); }, "element 0 is a number, not an array of token ids");
  expect_refused([] { detokenized("3"); },
                 "standard input is a JSON number; expected is an array of arrays of token ids");
}

}  // namespace
}  // namespace minfer::cli
