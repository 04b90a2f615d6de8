// Metadata that lies about its size, has values out of range, or names that are none.
#include <gtest/gtest.h>

#include <limits>

#include "gguf/builder.h"
#include "gguf/expect_refused.h"
#include "gguf/reader.h"
#include "minfer/error.h"

namespace minfer::gguf {
namespace {

using test::Bytes;
using test::expect_refused;
using test::FileBuilder;
using test::kArray;

constexpr std::uint64_t kTiB = std::uint64_t{1} << 40;
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

std::vector<std::byte> with_key(std::uint32_t type, const Bytes& value) {
  return FileBuilder().key("some.key", type, value).build(64);
}

TEST(HostileMetadata, StringsLongerThanTheFile) {
  for (std::uint64_t length : {std::uint64_t{1000}, kTiB, kMax, kMax - 7})
    expect_refused(with_key(test::kString, Bytes().u64(length).raw("x")),
                   {"key some.key", std::to_string(length) + " bytes"});
}

TEST(HostileMetadata, KeyLongerThanTheFile) {
  FileBuilder file;
  file.key_count = 1;
  std::vector<std::byte> bytes = file.header();
  const std::vector<std::byte> length = Bytes().u64(kTiB).zeros(32).vector();
  bytes.insert(bytes.end(), length.begin(), length.end());
  expect_refused(bytes, {"offset 32", "1099511627776 bytes"});
}

TEST(HostileMetadata, ArraysLargerThanTheFile) {
  for (std::uint64_t count : {std::uint64_t{100}, kTiB, kMax, std::uint64_t{1} << 61})
    for (std::uint32_t type : {test::kU8, test::kU64, test::kString})
      expect_refused(with_key(kArray, Bytes().u32(type).u64(count)), {"key some.key", std::to_string(count)});
  expect_refused(with_key(kArray, Bytes().u32(test::kString).u64(2).string("a").u64(kMax).zeros(64)),
                 {"string of an array"});
}

TEST(HostileMetadata, ArraysOfArrays) {
  Bytes nested;
  for (int depth = 0; depth < 1000; ++depth) nested.u32(kArray).u64(1);
  expect_refused(with_key(kArray, nested), {"key some.key", "arrays of arrays"});
}

TEST(HostileMetadata, UnknownTypes) {
  expect_refused(with_key(13, Bytes().u64(0)), {"unknown value type 13"});
  expect_refused(with_key(0xffffffff, Bytes().u64(0)), {"unknown value type 4294967295"});
  expect_refused(with_key(kArray, Bytes().u32(77).u64(0)), {"unknown array element type 77"});
}

TEST(HostileMetadata, BoolsOtherThan0And1) {
  expect_refused(with_key(test::kBool, Bytes().u8(2)), {"bool is 2"});
  expect_refused(with_key(kArray, Bytes().u32(test::kBool).u64(3).u8(0).u8(1).u8(255)), {"bool is 255"});
}

TEST(HostileMetadata, Names) {
  expect_refused(FileBuilder().u32("", 1).build(64), {"0 bytes"});
  expect_refused(FileBuilder().u32(std::string_view("a\0b", 3), 1).build(64), {"NUL", "a\\x00b"});
  expect_refused(FileBuilder().u32(std::string(65536, 'k'), 1).build(64), {"65536 bytes"});
  // A name with line breaks and terminal escapes stays one printable line of the message.
  expect_refused(FileBuilder().key("evil\n\x1b[31m", 99, Bytes()).build(64), {"evil\\n\\x1b[31m", "type 99"});
}

TEST(HostileMetadata, DuplicateKeys) {
  expect_refused(FileBuilder().u32("a", 1).u32("b", 1).u32("a", 2).build(64),
                 {"key a", "offset 66", "twice"});
}

TEST(HostileMetadata, Alignment) {
  for (std::uint32_t alignment : {0u, 1u, 3u, 4u, 33u, 48u, 0x80000000u, 0xffffffffu})
    expect_refused(FileBuilder().u32("general.alignment", alignment).build(64),
                   {"key general.alignment", "alignment " + std::to_string(alignment), "power of two"});
  expect_refused(FileBuilder().string("general.alignment", "32").build(64), {"type string"});
  expect_refused(FileBuilder().key("general.alignment", test::kF32, Bytes().f32(32)).build(64), {"type f32"});
  expect_refused(FileBuilder().key("general.alignment", test::kI32, Bytes().u32(0xffffffe0)).build(64),
                 {"type i32"});
}

TEST(HostileMetadata, ShardsAreUnsupportedAndSaySo) {
  const auto message = [](const FileBuilder& file) -> std::string {
    try {
      Reader::parse(file.build(0), "shard.gguf");
    } catch (const UnsupportedError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string refusal =
      message(FileBuilder().key("split.count", test::kU16, Bytes().put<std::uint16_t>(3)));
  EXPECT_NE(refusal.find("shard.gguf: key split.count: this is one of 3 files"), std::string::npos)
      << refusal;
  EXPECT_NE(refusal.find("--merge"), std::string::npos) << refusal;
  EXPECT_EQ(message(FileBuilder().u32("split.count", 1)), "accepted");
}

}  // namespace
}  // namespace minfer::gguf
