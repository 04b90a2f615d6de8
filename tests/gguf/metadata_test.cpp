#include "gguf/metadata.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "gguf/builder.h"
#include "minfer/error.h"

namespace minfer::gguf {
namespace {

using test::Bytes;
using test::FileBuilder;

class Metadata : public testing::Test {
 protected:
  static FileBuilder builder() {
    FileBuilder file;
    file.u32("n", 7).string("s", "text").key("f", test::kF32, Bytes().f32(0.25f));
    file.key("n8", test::kU8, Bytes().u8(200)).key("minus", test::kI64, Bytes().put<std::int64_t>(-2));
    file.key("huge", test::kU64, Bytes().u64(std::numeric_limits<std::uint64_t>::max()));
    file.key("nan", test::kF32, Bytes().f32(std::nanf(""))).key("1e300", test::kF64, Bytes().put(1e300));
    file.key("yes", test::kBool, Bytes().u8(1));
    file.key("strings", test::kArray, Bytes().u32(test::kString).u64(2).string("a").string("b"));
    file.key("ints", test::kArray, Bytes().u32(test::kU32).u64(2).u32(1).u32(0x80000000u));
    file.key("floats", test::kArray, Bytes().u32(test::kF32).u64(2).f32(1.5f).f32(-2));
    file.key("bad floats", test::kArray, Bytes().u32(test::kF32).u64(2).f32(1).f32(INFINITY));
    return file;
  }

  // The message of the InvalidFileError that an access throws.
  template <typename Access>
  static std::string refusal(Access access) {
    try {
      access();
    } catch (const InvalidFileError& error) {
      return error.what();
    }
    return "accepted";
  }

  const std::vector<std::byte> bytes_ = builder().build(0);
  const Reader reader_ = Reader::parse(bytes_, "m.gguf");
};

TEST_F(Metadata, ReadsWhatIsThere) {
  EXPECT_EQ(get_u32(reader_, "n", 1, 7), 7u);
  EXPECT_EQ(get_u32(reader_, "n8", 0, 255), 200u);
  EXPECT_EQ(get_f32(reader_, "f", 0, 1), 0.25f);
  EXPECT_EQ(get_string(reader_, "s"), "text");
  EXPECT_TRUE(get_bool(reader_, "yes"));
  EXPECT_EQ(get_strings(reader_, "strings"), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(get_f32s(reader_, "floats"), (std::vector<float>{1.5f, -2}));
}

TEST_F(Metadata, MissingKeys) {
  EXPECT_EQ(find_u32(reader_, "none", 0, 1), std::nullopt);
  EXPECT_EQ(find_f32(reader_, "none", 0, 1), std::nullopt);
  EXPECT_EQ(find_string(reader_, "none"), std::nullopt);
  EXPECT_EQ(find_strings(reader_, "none"), std::nullopt);
  EXPECT_EQ(refusal([&] { get_u32(reader_, "none", 0, 1); }), "m.gguf: key none: the key is missing");
  EXPECT_EQ(refusal([&] { get_f32s(reader_, "none"); }), "m.gguf: key none: the key is missing");
}

TEST_F(Metadata, IntegersOutOfRangeNameKeyValueAndRange) {
  EXPECT_EQ(refusal([&] { get_u32(reader_, "n", 8, 1024); }), "m.gguf: key n: 7 is not in 8..1024");
  EXPECT_EQ(refusal([&] { find_u32(reader_, "n", 0, 6); }), "m.gguf: key n: 7 is not in 0..6");
  EXPECT_EQ(refusal([&] { get_u32(reader_, "minus", 0, 6); }), "m.gguf: key minus: -2 is not in 0..6");
  EXPECT_EQ(refusal([&] { get_u32(reader_, "huge", 0, 6); }),
            "m.gguf: key huge: 18446744073709551615 is not in 0..6");
}

TEST_F(Metadata, OtherTypesAreRefused) {
  EXPECT_EQ(refusal([&] { get_u32(reader_, "s", 0, 6); }),
            "m.gguf: key s: a value of type string, not an integer");
  EXPECT_EQ(refusal([&] { get_u32(reader_, "f", 0, 6); }),
            "m.gguf: key f: a value of type f32, not an integer");
  EXPECT_EQ(refusal([&] { get_u32(reader_, "yes", 0, 6); }),
            "m.gguf: key yes: a value of type bool, not an integer");
  EXPECT_EQ(refusal([&] { get_f32(reader_, "n", 0, 6); }), "m.gguf: key n: a value of type u32, not a float");
  EXPECT_EQ(refusal([&] { get_string(reader_, "n"); }), "m.gguf: key n: a value of type u32, not string");
  EXPECT_EQ(refusal([&] { get_bool(reader_, "n"); }), "m.gguf: key n: a value of type u32, not bool");
  EXPECT_EQ(refusal([&] { get_strings(reader_, "ints"); }),
            "m.gguf: key ints: a value of type array of u32, not an array of strings");
  EXPECT_EQ(refusal([&] { get_i32s(reader_, "strings"); }),
            "m.gguf: key strings: a value of type array of string, not an array of integers");
  EXPECT_EQ(refusal([&] { get_f32s(reader_, "n"); }),
            "m.gguf: key n: a value of type u32, not an array of floats");
}

TEST_F(Metadata, FloatsMustBeFiniteAndInRange) {
  EXPECT_EQ(refusal([&] { get_f32(reader_, "nan", 0, 1); }), "m.gguf: key nan: nan is not a finite float");
  EXPECT_EQ(refusal([&] { get_f32(reader_, "1e300", 0, 1); }),
            "m.gguf: key 1e300: 1e+300 is not a finite float");
  EXPECT_EQ(refusal([&] { get_f32(reader_, "f", 0.5f, 1); }), "m.gguf: key f: 0.25 is not in 0.5..1");
  EXPECT_EQ(refusal([&] { get_f32s(reader_, "bad floats"); }),
            "m.gguf: key bad floats: inf is not a finite float");
}

TEST_F(Metadata, ElementsOfIntegerArraysMustFit) {
  EXPECT_EQ(refusal([&] { get_i32s(reader_, "ints"); }),
            "m.gguf: key ints: 2147483648 is not in -2147483648..2147483647");
  EXPECT_EQ(refusal([&] { get_i32s(reader_, "ints", 5, 6); }), "m.gguf: key ints: 1 is not in 5..6");
}

}  // namespace
}  // namespace minfer::gguf
