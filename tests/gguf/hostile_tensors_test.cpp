// Tensor descriptions that are wrong in themselves, among each other, or against the file's size.
#include <gtest/gtest.h>

#include <limits>

#include "gguf/builder.h"
#include "gguf/expect_refused.h"
#include "gguf/reader.h"
#include "minfer/error.h"

namespace minfer::gguf {
namespace {

using test::expect_refused;
using test::FileBuilder;

constexpr std::uint32_t kF32 = 0, kQ4_0 = 2, kQ4_K = 12;
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

TEST(HostileTensors, Rank) {
  expect_refused(FileBuilder().tensor("w", {}).build(64), {"tensor w", "0 dimensions"});
  expect_refused(FileBuilder().tensor("w", {1, 1, 1, 1, 1}).build(64), {"tensor w", "5 dimensions"});
  expect_refused(FileBuilder().tensor("w", std::vector<std::uint64_t>(70000, 1)).build(64),
                 {"70000 dimensions"});
}

TEST(HostileTensors, Dimensions) {
  expect_refused(FileBuilder().tensor("w", {0}).build(64), {"dimension 0 is 0"});
  expect_refused(FileBuilder().tensor("w", {8, 0, 2}).build(64), {"dimension 1 is 0"});
  expect_refused(FileBuilder().tensor("w", {8, kMax}).build(64), {"dimension 1 is 18446744073709551615"});
  expect_refused(FileBuilder().tensor("w", {std::uint64_t{1} << 63}).build(64), {"dimension 0 is"});
}

TEST(HostileTensors, ProductsThatWrap) {
  constexpr std::uint64_t k32 = std::uint64_t{1} << 32;
  expect_refused(FileBuilder().tensor("w", {k32, k32}).build(64), {"product of the dimensions"});
  expect_refused(FileBuilder().tensor("w", {k32, k32 / 2, 4, 8}).build(64), {"product of the dimensions"});
  // 2^62 elements fit; their 2^64 bytes do not.
  expect_refused(FileBuilder().tensor("w", {k32, k32 / 4}).build(64), {"size of the data"});
}

TEST(HostileTensors, RowsOfNoWholeBlocks) {
  expect_refused(FileBuilder().tensor("w", {257, 4}, kQ4_K).build(4096), {"257 values", "256", "q4_K"});
  expect_refused(FileBuilder().tensor("w", {128, 4}, kQ4_K).build(4096), {"128 values"});
  expect_refused(FileBuilder().tensor("w", {33}, kQ4_0).build(4096), {"33 values", "32", "q4_0"});
}

TEST(HostileTensors, RemovedTypesAreNamedWithTheCure) {
  const std::pair<std::uint32_t, std::string> removed[] = {
      {4, "q4_2"},      {5, "q4_3"},        {31, "q4_0_4_4"},   {32, "q4_0_4_8"},
      {33, "q4_0_8_8"}, {36, "iq4_nl_4_4"}, {37, "iq4_nl_4_8"}, {38, "iq4_nl_8_8"}};
  for (const auto& [id, name] : removed)
    expect_refused(FileBuilder().tensor("w", {256}, id).build(4096),
                   {"tensor w", "type " + std::to_string(id) + " (" + name + ")", "removed", "quantize"});
}

TEST(HostileTensors, UnknownTypesAreNamedByNumber) {
  for (std::uint32_t id : {43u, 999u, 1000u, 1002u, 0xffffffffu})
    expect_refused(FileBuilder().tensor("w", {256}, id).build(4096),
                   {"tensor w", "unknown tensor type " + std::to_string(id)});
}

TEST(HostileTensors, Names) {
  expect_refused(FileBuilder().tensor(std::string_view("a\0b", 3), {8}).build(64), {"NUL"});
  expect_refused(FileBuilder().tensor("", {8}).build(64), {"tensor name of 0 bytes"});
  expect_refused(FileBuilder().tensor(std::string(256, 'w'), {8}).build(64), {"tensor name of 256 bytes"});
  expect_refused(
      FileBuilder().tensor("w", {8}).tensor("v", {8}, kF32, 32).tensor("w", {8}, kF32, 64).build(96),
      {"tensor w", "twice"});
}

TEST(HostileTensors, Offsets) {
  expect_refused(FileBuilder().tensor("w", {8}, kF32, 16).build(64),
                 {"tensor w", "16", "multiple of the alignment 32"});
  expect_refused(FileBuilder().tensor("w", {8}, kF32, 64).build(64), {"tensor w", "has 128"});
  expect_refused(FileBuilder().tensor("w", {8}, kF32, kMax - 31).build(64), {"tensor w", "64 bits"});
  expect_refused(FileBuilder().tensor("w", {std::uint64_t{1} << 60}, kF32, std::uint64_t{1} << 63).build(64),
                 {"tensor w", "of at least"});
}

TEST(HostileTensors, Overlap) {
  expect_refused(FileBuilder().tensor("v", {16}, kF32, 0).tensor("w", {16}, kF32, 32).build(96),
                 {"tensor w", "overlaps"});
  expect_refused(FileBuilder().tensor("v", {8}, kF32, 32).tensor("w", {8}, kF32, 32).build(96), {"overlaps"});
  // Neighbours in the file, not in the list.
  expect_refused(
      FileBuilder().tensor("a", {8}, kF32, 64).tensor("b", {8}, kF32, 0).tensor("c", {9}, kF32, 32).build(96),
      {"tensor a", "overlaps"});
  EXPECT_NO_THROW(Reader::parse(
      FileBuilder().tensor("a", {8}, kF32, 64).tensor("b", {8}, kF32, 0).tensor("c", {8}, kF32, 32).build(96),
      "ok"));
}

TEST(HostileTensors, DataShorterThanDeclared) {
  const FileBuilder file = FileBuilder().tensor("v", {8}, kF32, 0).tensor("w", {8}, kF32, 32);
  const std::vector<std::byte> whole = file.build(64);
  const std::string needed = "at least " + std::to_string(whole.size()) + " bytes";
  for (std::size_t missing : {1, 8, 32})
    expect_refused(std::span(whole).first(whole.size() - missing),
                   {"tensor w", needed, "has " + std::to_string(whole.size() - missing), "truncated"});
  // The header alone, without even its padding.
  expect_refused(file.header(), {"tensor v", "truncated"});
}

}  // namespace
}  // namespace minfer::gguf
