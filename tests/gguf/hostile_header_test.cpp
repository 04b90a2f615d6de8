// Files that are not GGUF, or whose fixed header is wrong.
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

std::vector<std::byte> text(std::string_view content) { return Bytes().raw(content).vector(); }

TEST(HostileHeader, EmptyFile) { expect_refused({}, {"offset 0", "empty"}); }

TEST(HostileHeader, FilesOfOtherKindsAreNamed) {
  expect_refused(text("<!DOCTYPE html><html><body>404"), {"HTML page"});
  expect_refused(text("\xef\xbb\xbf\n  <HTML lang=en>"), {"HTML page"});
  expect_refused(text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n"),
                 {"git-lfs", "git lfs pull"});
  expect_refused(text(std::string("PK\x03\x04") + "archive/data.pkl"), {"zip archive", "PyTorch"});
  expect_refused(text("\x80\x02}q\x01(X"), {"pickle"});
  expect_refused(Bytes().u64(60).raw("{\"__metadata__\":{}}").vector(), {"safetensors"});
  expect_refused(text("tjgg\x03"), {"old GGJT"});
  expect_refused(text("\x1f\x8b\x08"), {"gzip"});
  expect_refused(text("\x7f"
                      "ELF"),
                 {"starts with '\\x7fELF'"});
}

TEST(HostileHeader, ByteSwappedFiles) {
  FileBuilder file;
  file.version = 0x03000000;
  expect_refused(file.build(0), {"offset 4", "byte-swapped"});
  file.magic = "FUGG";
  expect_refused(file.build(0), {"byte-swapped"});
}

TEST(HostileHeader, UnknownVersions) {
  for (std::uint32_t version : {0u, 1u, 4u, 0xffffffffu}) {
    FileBuilder file;
    file.version = version;
    expect_refused(file.build(0), {"offset 4", "version " + std::to_string(version), "not supported"});
  }
}

TEST(HostileHeader, CountsThatCannotBe) {
  FileBuilder keys;
  keys.key_count = std::numeric_limits<std::uint64_t>::max();
  expect_refused(keys.build(0), {"offset 16", "key count 18446744073709551615"});
  FileBuilder tensors;
  tensors.tensor_count = std::uint64_t{1} << 60;
  expect_refused(tensors.build(0), {"offset 8", "tensor count 1152921504606846976"});
  FileBuilder more_keys_than_there_are;
  more_keys_than_there_are.u32("a", 1).key_count = 2;
  expect_refused(more_keys_than_there_are.build(64), {"metadata"});
}

TEST(HostileHeader, CutAtAnyByte) {
  FileBuilder builder;
  builder.u32("general.some_number", 7).string("general.name", "n");
  builder.key("list", test::kArray, Bytes().u32(test::kString).u64(2).string("a").string("bc"));
  builder.tensor("w", {4, 2}).tensor("v", {8}, 0, 32);
  const std::vector<std::byte> whole = builder.build(64);
  EXPECT_NO_THROW(Reader::parse(whole, "whole"));
  for (std::size_t size = 0; size < whole.size(); ++size)
    expect_refused(std::vector(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), {});
}

}  // namespace
}  // namespace minfer::gguf
