#include "gguf/value.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "gguf/builder.h"
#include "gguf/reader.h"
#include "minfer/error.h"

namespace minfer::gguf {
namespace {

using test::Bytes;
using test::FileBuilder;

// One value in a file of its own.
class OneValue {
 public:
  OneValue(std::uint32_t type, const Bytes& value)
      : bytes_(FileBuilder().key("k", type, value).build(0)), reader_(Reader::parse(bytes_, "one")) {}
  const Value& get() const { return *reader_.find("k"); }

 private:
  std::vector<std::byte> bytes_;
  Reader reader_;
};

template <typename T>
OneValue number(std::uint32_t type, T value) {
  return {type, Bytes().put(value)};
}

TEST(Value, IntegersOfEveryWidth) {
  EXPECT_EQ(number<std::uint8_t>(test::kU8, 255).get().as_u64(), 255u);
  EXPECT_EQ(number<std::int8_t>(test::kI8, -1).get().as_i64(), -1);
  EXPECT_EQ(number<std::uint16_t>(test::kU16, 65535).get().as_i64(), 65535);
  EXPECT_EQ(number<std::int16_t>(test::kI16, -300).get().as_i64(), -300);
  EXPECT_EQ(number<std::uint32_t>(test::kU32, 4294967295u).get().as_u64(), 4294967295u);
  EXPECT_EQ(number<std::int32_t>(test::kI32, -5).get().as_i64(), -5);
  EXPECT_EQ(number<std::int64_t>(test::kI64, -6).get().as_i64(), -6);
  EXPECT_EQ(number<std::uint64_t>(test::kU64, 7).get().as_i64(), 7);
}

TEST(Value, IntegersThatDoNotFitGiveNothing) {
  EXPECT_EQ(number<std::int8_t>(test::kI8, -1).get().as_u64(), std::nullopt);
  const OneValue large = number(test::kU64, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(large.get().as_u64(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(large.get().as_i64(), std::nullopt);
  EXPECT_TRUE(large.get().is_integer());
}

TEST(Value, OtherScalars) {
  EXPECT_EQ(number(test::kF32, 0.5f).get().as_f64(), 0.5);
  EXPECT_EQ(number(test::kF64, 0.1).get().as_f64(), 0.1);
  EXPECT_EQ(number<std::uint8_t>(test::kBool, 1).get().as_bool(), true);
  const OneValue text(test::kString, Bytes().string("a\xff"
                                                    "b"));
  EXPECT_EQ(text.get().as_string(),
            "a\xff"
            "b");
  EXPECT_EQ(OneValue(test::kString, Bytes().string("")).get().as_string(), "");
}

TEST(Value, NoConversionBetweenKinds) {
  const OneValue real = number(test::kF32, 1.0f);
  EXPECT_EQ(real.get().as_u64(), std::nullopt);
  EXPECT_EQ(real.get().as_bool(), std::nullopt);
  EXPECT_FALSE(real.get().is_integer());
  EXPECT_EQ(number<std::uint32_t>(test::kU32, 1).get().as_f64(), std::nullopt);
  EXPECT_EQ(number<std::uint8_t>(test::kBool, 1).get().as_u64(), std::nullopt);
  EXPECT_EQ(number<std::uint32_t>(test::kU32, 1).get().as_string(), std::nullopt);
  EXPECT_THROW(static_cast<void>(real.get().size()), InternalError);
}

TEST(Value, ArraysOfNumbers) {
  const OneValue array(
      test::kArray,
      Bytes().u32(test::kI16).u64(3).put<std::int16_t>(-1).put<std::int16_t>(0).put<std::int16_t>(9));
  ASSERT_EQ(array.get().size(), 3u);
  EXPECT_EQ(array.get().element_type(), GgufType::kI16);
  EXPECT_EQ(array.get().element(0).as_i64(), -1);
  EXPECT_EQ(array.get().element(2).as_i64(), 9);
  EXPECT_THROW(static_cast<void>(array.get().element(3)), InternalError);
  EXPECT_THROW(static_cast<void>(array.get().strings()), InternalError);
}

TEST(Value, ArraysOfStrings) {
  const OneValue array(test::kArray,
                       Bytes().u32(test::kString).u64(3).string("one").string("").string("three"));
  const StringRange strings = array.get().strings();
  EXPECT_EQ(strings.size(), 3u);
  EXPECT_EQ(std::vector<std::string>(strings.begin(), strings.end()),
            (std::vector<std::string>{"one", "", "three"}));
  EXPECT_THROW(static_cast<void>(array.get().element(0)), InternalError);
}

TEST(Value, EmptyArrays) {
  const OneValue strings(test::kArray, Bytes().u32(test::kString).u64(0));
  EXPECT_EQ(strings.get().strings().begin(), strings.get().strings().end());
  EXPECT_EQ(OneValue(test::kArray, Bytes().u32(test::kF32).u64(0)).get().size(), 0u);
}

}  // namespace
}  // namespace minfer::gguf
