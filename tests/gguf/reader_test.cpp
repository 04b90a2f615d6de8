#include "gguf/reader.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "gguf/builder.h"
#include "gguf/file.h"
#include "gguf/metadata.h"
#include "minfer/error.h"
#include "support/data.h"

namespace minfer::gguf {
namespace {

using test::test_data;

TEST(Reader, ReadsTheSmallModel) {
  const auto file = File::open(test_data("tiny-bytes.gguf"));
  const Reader& reader = file->reader();
  EXPECT_EQ(reader.version(), 3u);
  EXPECT_EQ(reader.alignment(), 32u);
  EXPECT_EQ(reader.metadata().size(), 18u);
  EXPECT_EQ(reader.tensors().size(), 15u);
  EXPECT_EQ(get_string(reader, "general.architecture"), "qwen2");
  EXPECT_EQ(get_u32(reader, "qwen2.block_count", 1, 1024), 1u);
  EXPECT_EQ(get_strings(reader, "tokenizer.ggml.tokens").size(), 261u);
  EXPECT_EQ(reader.find("no.such.key"), nullptr);

  const TensorInfo* embedding = reader.find_tensor("token_embd.weight");
  ASSERT_NE(embedding, nullptr);
  EXPECT_EQ(embedding->shape.rows(), 261);
  const TensorView view = reader.view(*embedding);
  EXPECT_EQ(view.bytes, tensor_bytes(view.desc));
  EXPECT_EQ(view.data, file->mapping().bytes().data() + embedding->offset);
  EXPECT_EQ(reader.find_tensor("no.such.tensor"), nullptr);
}

TEST(Reader, RefusesTheSmallModelCutAnywhereInItsHeader) {
  const std::vector<std::byte> bytes = test::read_bytes(test_data("tiny-bytes.gguf"));
  const std::uint64_t data_offset = Reader::parse(bytes, "tiny").data_offset();
  for (std::uint64_t size = 0; size <= data_offset; ++size)
    // A copy of exactly this size, so that a sanitizer sees any byte read beyond it.
    EXPECT_THROW(
        Reader::parse(std::vector(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)), "cut"),
        InvalidFileError)
        << size << " bytes";
  EXPECT_THROW(Reader::parse(std::span(bytes).first(bytes.size() - 1), "cut"), InvalidFileError);
}

TEST(Reader, ReadsVersion2) {
  test::FileBuilder file;
  file.version = 2;
  const std::vector<std::byte> bytes = file.u32("n", 1).tensor("w", {8}).build(32);
  EXPECT_EQ(Reader::parse(bytes, "v2").version(), 2u);
}

TEST(Reader, AlignmentMovesTheData) {
  test::FileBuilder file;
  file.alignment = 256;
  const std::vector<std::byte> bytes = file.u32("general.alignment", 256).tensor("w", {8}, 0, 256).build(288);
  const Reader reader = Reader::parse(bytes, "aligned");
  EXPECT_EQ(reader.alignment(), 256u);
  EXPECT_EQ(reader.data_offset(), 256u);
  EXPECT_EQ(reader.tensors()[0].offset, 512u);
  EXPECT_EQ(reader.view(reader.tensors()[0]).data, bytes.data() + 512);
}

TEST(Reader, ShapesUpToRank4) {
  const std::vector<std::byte> bytes =
      test::FileBuilder().tensor("experts", {32, 3, 2}, 2).tensor("w", {1, 2, 1, 4}, 0, 128).build(160);
  const Reader reader = Reader::parse(bytes, "ranks");
  EXPECT_EQ(reader.find_tensor("experts")->shape, (Shape{32, 3, 2}));
  EXPECT_EQ(reader.find_tensor("experts")->bytes, 108u);
  EXPECT_EQ(reader.find_tensor("w")->shape, (Shape{1, 2, 1, 4}));
}

TEST(Reader, AFileWithoutTensorsMayEndWithItsHeader) {
  const std::vector<std::byte> bytes = test::FileBuilder().string("general.name", "vocabulary").header();
  EXPECT_NE(bytes.size() % 32, 0u);
  EXPECT_TRUE(Reader::parse(bytes, "vocabulary").tensors().empty());
}

TEST(Reader, ListsTypesThatItCannotView) {
  const std::vector<std::byte> bytes = test::FileBuilder().tensor("w", {128, 2}, 41).build(64);
  const Reader reader = Reader::parse(bytes, "q1_0");
  EXPECT_EQ(reader.tensors()[0].bytes, 36u);
  EXPECT_EQ(reader.tensors()[0].dtype, std::nullopt);
  EXPECT_THROW(reader.view(reader.tensors()[0]), UnsupportedError);
}

TEST(Reader, ReadsEverySharedFile) {
  MINFER_NEED_SHARED();
  int files = 0;
  for (const char* folder : {"oracle", "tokenizer", "demo"})
    for (const auto& entry : std::filesystem::directory_iterator(test::shared_data(folder))) {
      if (entry.path().extension() != ".gguf") continue;
      ++files;
      EXPECT_NO_THROW(File::open(entry.path())) << entry.path();
    }
  EXPECT_GT(files, 40);
}

}  // namespace
}  // namespace minfer::gguf
