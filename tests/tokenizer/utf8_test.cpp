#include "tokenizer/utf8.h"

#include <gtest/gtest.h>

#include <vector>

namespace minfer {
namespace {

// U+FFFD written as ?, to keep expectations readable.
std::string replaced(std::string_view bytes) {
  std::string text = replace_invalid_utf8(bytes);
  for (size_t at; (at = text.find(kReplacementCharacter)) != std::string::npos;) text.replace(at, 3, 1, '?');
  return text;
}

// The examples of the Unicode standard, section 3.9, tables 3-8 to 3-11.
TEST(Utf8, ReplacesMaximalSubpartsAsTheStandardShows) {
  EXPECT_EQ(replaced("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), "????????A");
  EXPECT_EQ(replaced("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), "????????A");
  EXPECT_EQ(replaced("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), "?????A??B");
  EXPECT_EQ(replaced("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), "????A");
}

TEST(Utf8, KeepsValidTextOfEveryLength) {
  for (const std::string text :
       {"", "a", "abcdefgh", "abcdefghé", "é", "日本", "\U0010FFFF", "x\U0001F642y"}) {
    EXPECT_TRUE(is_valid_utf8(text)) << text;
    EXPECT_EQ(replace_invalid_utf8(text), text);
  }
  EXPECT_FALSE(is_valid_utf8("abcdefgh\xFF"));
  EXPECT_EQ(replaced("abcdefgh\xE6\x97"), "abcdefgh?");
}

TEST(Utf8, DecodesWhatItEncodes) {
  for (const char32_t c : {U'\0', U'\x7F', U'\x80', U'\u07FF', U'\u0800', U'\uD7FF', U'\uE000', U'\uFFFF',
                           U'\U00010000', U'\U0010FFFF'}) {
    std::string text;
    append_utf8(text, c);
    const Utf8Step step = decode_utf8(text);
    EXPECT_EQ(step.status, Utf8Status::kValid);
    EXPECT_EQ(step.length, text.size());
    EXPECT_EQ(step.code_point, c);
  }
}

TEST(Utf8, TellsTruncatedFromInvalid) {
  EXPECT_EQ(decode_utf8("\xF0\x9F\x99").status, Utf8Status::kTruncated);
  EXPECT_EQ(decode_utf8("\xF0\x9F\x99").length, 3);
  EXPECT_EQ(decode_utf8("\xF0\x9Fx").status, Utf8Status::kInvalid);
  EXPECT_EQ(decode_utf8("\xF0\x9Fx").length, 2);
  EXPECT_EQ(decode_utf8("\xED\xA0\x80").length, 1);
}

TEST(Utf8, MovesOffsetsWithTheText) {
  std::vector<size_t> offsets{0, 1, 2, 3, 4, 5, 6};
  // a, an invalid sequence of two bytes, b, an invalid byte, c
  EXPECT_EQ(replace_invalid_utf8("a\xE6\x97"
                                 "b\xFF"
                                 "c",
                                 offsets),
            "a\uFFFDb\uFFFDc");
  EXPECT_EQ(offsets, std::vector<size_t>({0, 1, 4, 4, 5, 8, 9}));
}

}  // namespace
}  // namespace minfer
