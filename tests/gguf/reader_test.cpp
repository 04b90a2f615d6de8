#include "gguf/reader.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "gguf/file.h"
#include "gguf/metadata.h"
#include "minfer/error.h"
#include "support/data.h"

namespace minfer {
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
}  // namespace minfer
