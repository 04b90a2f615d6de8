#include "gguf/writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "gguf/builder.h"
#include "gguf/file.h"
#include "gguf/metadata.h"
#include "minfer/error.h"
#include "support/data.h"

namespace minfer::gguf {
namespace {

std::vector<std::byte> pattern(std::size_t bytes, std::size_t seed) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(seed * 31 + i * 7 + i / 251);
  return data;
}

class WriterTest : public testing::Test {
 protected:
  WriterTest() { std::filesystem::create_directories(folder_); }
  ~WriterTest() override { std::filesystem::remove_all(folder_); }
  std::size_t files_in_folder() const {
    const std::filesystem::directory_iterator entries(folder_);
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  }

  const std::filesystem::path folder_ = test::scratch_folder() / "writer";
  const std::filesystem::path path_ = folder_ / "out.gguf";
};

TEST_F(WriterTest, WritesTheBytesThatTheFormatAsksFor) {
  Writer writer(path_);
  writer.add_u32("n", 7);
  writer.add_strings("list", std::vector<std::string>{"a", ""});
  writer.add_tensor("w", {DType::kF32, {3, 2}});
  writer.add_tensor("v", {DType::kF16, {4}});
  writer.write_tensor("w", pattern(24, 1));
  writer.write_tensor("v", pattern(8, 2));
  writer.finish();

  test::FileBuilder expected;
  expected.u32("n", 7).key("list", test::kArray,
                           test::Bytes().u32(test::kString).u64(2).string("a").string(""));
  expected.tensor("w", {3, 2}, 0, 0).tensor("v", {4}, 1, 32);
  std::vector<std::byte> bytes = expected.build(64);
  const std::vector<std::byte> w = pattern(24, 1), v = pattern(8, 2);
  std::copy(w.begin(), w.end(), bytes.end() - 64);
  std::copy(v.begin(), v.end(), bytes.end() - 32);
  EXPECT_EQ(test::read_bytes(path_), bytes);
}

TEST_F(WriterTest, ReaderReadsBackEveryKindOfValue) {
  Writer writer(path_, 64);
  writer.add_i32("i32", -3);
  writer.add_u64("u64", std::uint64_t{1} << 40);
  writer.add_f32("f32", 1e-6f);
  writer.add_bool("bool", true);
  writer.add_string("string", "h\xc3\xa9");
  writer.add_i32s("i32s", std::vector<std::int32_t>{1, -1});
  writer.add_f32s("f32s", std::vector<float>{0.5f});
  writer.finish();

  const auto file = File::open(path_);
  const Reader& reader = file->reader();
  EXPECT_EQ(reader.version(), 3u);
  EXPECT_EQ(reader.alignment(), 64u);
  EXPECT_EQ(reader.find("i32")->as_i64(), -3);
  EXPECT_EQ(reader.find("u64")->as_u64(), std::uint64_t{1} << 40);
  EXPECT_EQ(get_f32(reader, "f32", 0, 1), 1e-6f);
  EXPECT_TRUE(get_bool(reader, "bool"));
  EXPECT_EQ(get_string(reader, "string"), "h\xc3\xa9");
  EXPECT_EQ(get_i32s(reader, "i32s"), (std::vector<std::int32_t>{1, -1}));
  EXPECT_EQ(get_f32s(reader, "f32s"), std::vector<float>{0.5f});
}

// Another writer made this file: copying its parts must give it back byte for byte.
TEST_F(WriterTest, CopyOfAFileIsTheSameFile) {
  const auto source = File::open(test::test_data("tiny-bytes.gguf"));
  const Reader& reader = source->reader();
  Writer writer(path_);
  for (const auto& [key, value] : reader.metadata()) writer.add_value(key, value);
  for (const TensorInfo& info : reader.tensors()) writer.add_tensor(info.name, reader.view(info).desc);
  for (const TensorInfo& info : reader.tensors()) {
    const TensorView view = reader.view(info);
    const std::span<const std::byte> data(view.data, view.bytes);
    // In two parts, to cover those as well.
    writer.write_part(info.name, data.first(view.bytes / 3));
    writer.write_part(info.name, data.subspan(view.bytes / 3));
  }
  writer.finish();
  EXPECT_EQ(test::read_text(path_), test::read_text(test::test_data("tiny-bytes.gguf")));
}

TEST_F(WriterTest, NothingUnderTheNameBeforeFinish) {
  {
    Writer writer(path_);
    writer.add_tensor("w", {DType::kF32, {8}});
    writer.write_part("w", pattern(16, 0));
    EXPECT_FALSE(std::filesystem::exists(path_));
    EXPECT_EQ(files_in_folder(), 1u);
  }
  EXPECT_EQ(files_in_folder(), 0u);
}

TEST_F(WriterTest, AFailureKeepsTheOlderFile) {
  Writer(path_).finish();
  const std::string older = test::read_text(path_);
  {
    Writer writer(path_);
    writer.add_u32("n", 1);
    writer.add_tensor("w", {DType::kF32, {8}});
    EXPECT_THROW(writer.finish(), InternalError);
  }
  EXPECT_EQ(test::read_text(path_), older);
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(WriterTest, ReplacesAnOlderFile) {
  Writer(path_).finish();
  Writer writer(path_);
  writer.add_u32("n", 1);
  writer.finish();
  EXPECT_EQ(File::open(path_)->reader().metadata().size(), 1u);
}

TEST_F(WriterTest, MisuseIsCaught) {
  Writer writer(path_);
  writer.add_u32("n", 1);
  EXPECT_THROW(writer.add_u32("n", 2), InternalError);
  writer.add_tensor("w", {DType::kF32, {8}});
  writer.add_tensor("v", {DType::kF32, {8}});
  EXPECT_THROW(writer.add_tensor("w", {DType::kF32, {8}}), InternalError);
  EXPECT_THROW(writer.write_tensor("v", pattern(32, 0)), InternalError);  // not the next one
  EXPECT_THROW(writer.write_tensor("w", pattern(33, 0)), InternalError);
  EXPECT_THROW(writer.add_u32("late", 2), InternalError);
  EXPECT_THROW(Writer(folder_ / "other.gguf", 48), InternalError);
}

TEST_F(WriterTest, SystemErrorsNameTheFile) {
  try {
    Writer writer(folder_ / "no such folder" / "out.gguf");
    FAIL() << "created";
  } catch (const InvalidRequestError& error) {
    EXPECT_NE(std::string(error.what()).find("no such folder"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace minfer::gguf
