// No text takes long, whatever it consists of.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>

#include "support/limits.h"
#include "tokenizer/nfc.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/utf8.h"
#include "vocabularies.h"

namespace minfer::test {
namespace {

// Sanitizers and emulators cost ten times as much and more; they look for other faults than slowness.
constexpr size_t kCharacters = kLimitFactor == 1 ? 200000 : 20000;
constexpr double kMaxSeconds = 1;

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// One of every class that the patterns tell apart, and some pairs on which engines have gone wrong.
const std::vector<std::string> kUnits{
    "a",      "A",      "é",          "日",           "1",        "²",
    " ",      "\n",     "\t",         "\r\n",         "\u0085",   "\u00A0",
    "\u3000", "!",      "'",          "'s",           "\u0301",   "\u0301\u0316",
    "\u200D", "\u2581", "\U0001F642", "\xFF",         "\xE6\x97", std::string(1, '\0'),
    " a",     " \n",    "가",         "\u1100\u1161", "<",        "<|im_end|>"};

std::string repeated(const std::string& unit) {
  std::string text;
  for (size_t i = 0; i < kCharacters; ++i) text += unit;
  return text;
}

void expect_quick(const Tokenizer& tokenizer, const std::string& text, bool nfc, const std::string& name) {
  const double start = cpu_seconds();
  const auto ids = tokenizer.encode(text, false);
  const std::string decoded = tokenizer.decode(ids, false);
  const double seconds = cpu_seconds() - start;
  EXPECT_LT(seconds, kMaxSeconds) << name;
  if (text.find("\u2581") != std::string::npos) return;  // SentencePiece's own space: comes back as one
  const std::string valid = replace_invalid_utf8(text);
  EXPECT_TRUE(decoded == (nfc ? to_nfc(valid) : valid)) << name;
}

class LongTexts : public testing::TestWithParam<std::string> {};

TEST_P(LongTexts, TakeUnderASecond) {
  const bool own = GetParam().ends_with(".gguf");
  if (!own) MINFER_NEED_SHARED();
  const auto tokenizer = load_vocabulary(own ? own_data(GetParam()) : shared_vocabulary(GetParam()));
  const bool nfc = GetParam() == "qwen2" || GetParam() == "demo-vocab.gguf";
  for (const std::string& unit : kUnits) {
    expect_quick(*tokenizer, repeated(unit), nfc, testing::PrintToString(unit));
    expect_quick(*tokenizer, fmt::format("x{}x", repeated(unit)), nfc,
                 fmt::format("x{}x", testing::PrintToString(unit)));
  }
}

INSTANTIATE_TEST_SUITE_P(All, LongTexts,
                         testing::Values("demo-vocab.gguf", "spm-vocab.gguf", "qwen2", "llama-bpe",
                                         "llama-spm", "gpt-2"));

}  // namespace
}  // namespace minfer::test
