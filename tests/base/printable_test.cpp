#include "base/printable.h"

#include <gtest/gtest.h>

namespace minfer {
namespace {

TEST(Printable, KeepsTextAndEscapesControls) {
  EXPECT_EQ(printable("plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
            "plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(printable("a\nb\tc\rd\\e"), "a\\nb\\tc\\rd\\\\e");
  EXPECT_EQ(printable(std::string_view("\0\x1b\x7f", 3)), "\\x00\\x1b\\x7f");
  EXPECT_EQ(printable("\xc2\x85"), "\\xc2\\x85");  // U+0085, a C1 control
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("a\xff"
                      "b\xc3"),
            "a\\xffb\\xc3");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");                    // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
}

TEST(Printable, CutsAtACharacter) {
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable("ab\xe2\x82\xac", 4), "ab...");
}

TEST(OneLine, KeepsWhatPrintableMade) {
  EXPECT_EQ(one_line(printable("a\n\\") + ": b\x1b[2J\nc\xff"), "a\\n\\\\: b\\x1b[2J\\nc\\xff");
}

}  // namespace
}  // namespace minfer
