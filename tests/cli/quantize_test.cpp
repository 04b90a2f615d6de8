#include "cli/quantize.h"

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "gguf/file.h"
#include "gguf/metadata.h"
#include "gguf/writer.h"
#include "minfer/error.h"
#include "support/data.h"

namespace minfer::cli {
namespace {

using test::scratch_folder;
using test::shared_data;
using test::test_data;

std::filesystem::path quantized(const std::filesystem::path& input, std::string_view type, int threads = 2,
                                bool pure = false) {
  const std::filesystem::path output = scratch_folder() / "quantized.gguf";
  quantize({input, output, threads, pure, true}, *find_file_type(type), {});
  return output;
}

void expect_equal_tensors(const std::filesystem::path& path, const std::filesystem::path& expected_path) {
  SCOPED_TRACE(expected_path.filename().string());
  const gguf::File file(path), expected(expected_path);
  ASSERT_EQ(file.reader().tensors().size(), expected.reader().tensors().size());
  for (const gguf::TensorInfo& info : expected.reader().tensors()) {
    const gguf::TensorInfo* ours = file.reader().find_tensor(info.name);
    ASSERT_NE(ours, nullptr) << info.name;
    ASSERT_EQ(ours->dtype, info.dtype) << info.name;
    ASSERT_EQ(ours->shape, info.shape) << info.name;
    const TensorView a = file.reader().view(*ours), b = expected.reader().view(info);
    EXPECT_EQ(std::memcmp(a.data, b.data, b.bytes), 0) << info.name;
  }
}

template <typename Exception>
std::string refusal(const QuantizeOptions& options, std::string_view type = "q8_0") {
  try {
    quantize(options, *find_file_type(type), {});
  } catch (const Exception& error) {
    return error.what();
  }
  return "not refused";
}

void expect_contains(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

bool folder_holds_only(const std::filesystem::path& folder, std::size_t n_files) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count == n_files;
}

std::filesystem::path fresh_folder(const char* name) {
  const std::filesystem::path folder = scratch_folder() / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  return folder;
}

// A model of one matrix of 3 rows.
std::filesystem::path small_model(const std::filesystem::path& folder, const std::vector<float>& weights) {
  const std::filesystem::path path = folder / "small.gguf";
  gguf::Writer writer(path);
  writer.add_string("general.architecture", "qwen2");
  writer.add_u32("qwen2.block_count", 1);
  writer.add_tensor("blk.0.attn_q.weight", {DType::kF32, {static_cast<std::int64_t>(weights.size()) / 3, 3}});
  writer.write_tensor("blk.0.attn_q.weight", std::as_bytes(std::span(weights)));
  writer.finish();
  return path;
}

// Against files that llama.cpp's quantizer made.
TEST(Quantize, GivesTheTensorsOfTheRepositorysFiles) {
  for (const char* model : {"nano-qwen3", "nano-llama"})
    expect_equal_tensors(quantized(test_data("oracle/" + std::string(model) + "-f32.gguf"), "q8_0"),
                         test_data("oracle/" + std::string(model) + "-q8_0.gguf"));
}

TEST(Quantize, GivesTheTensorsOfTheOracles) {
  MINFER_NEED_SHARED();
  const auto expect_equal = [](const std::string& model, const std::string& type) {
    expect_equal_tensors(quantized(shared_data("oracle/" + model + "-f32.gguf"), type),
                         shared_data("oracle/" + model + "-" + type + ".gguf"));
  };
  for (const char* type : {"f16", "bf16", "q4_0", "q4_1", "q5_0", "q5_1", "q8_0"}) {
    expect_equal("nano-qwen2", type);
    expect_equal("nano-qwen3", type);
  }
  for (const char* type : {"q4_0", "q8_0"}) expect_equal("nano-llama", type);
  for (const char* type : {"q5_1", "q4_k_m"}) expect_equal("tiny-llama3", type);
}

TEST(Quantize, GivesTheShippedModel) {
  MINFER_NEED_SHARED();
  expect_equal_tensors(quantized(shared_data("demo/minfer-demo-f16.gguf"), "q4_k_m"),
                       test::model_file("minfer-demo-q4_k_m.gguf"));
}

TEST(Quantize, FileDoesNotDependOnThreads) {
  const auto input = test_data("oracle/nano-qwen3-f32.gguf");
  const auto one = test::read_bytes(quantized(input, "q5_1", 1));
  EXPECT_EQ(one, test::read_bytes(quantized(input, "q5_1", 3)));
  EXPECT_EQ(one, test::read_bytes(quantized(input, "q5_1", 40)));
}

TEST(Quantize, KeepsMetadataButForTheType) {
  const auto input = test_data("oracle/nano-qwen2-f16.gguf");
  const gguf::File file(quantized(input, "q4_0")), source(input);
  EXPECT_EQ(gguf::get_u32(file.reader(), "general.file_type", 0, 100), 2u);
  EXPECT_EQ(gguf::get_u32(file.reader(), "general.quantization_version", 0, 100), 2u);
  EXPECT_EQ(file.reader().metadata().size(), source.reader().metadata().size());
  for (const auto& [key, value] : source.reader().metadata()) {
    const gguf::Value* ours = file.reader().find(key);
    ASSERT_NE(ours, nullptr) << key;
    EXPECT_EQ(ours->type(), value.type()) << key;
    if (key == "general.file_type") continue;
    const auto a = ours->payload(), b = value.payload();
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << key;
  }
}

// What is in the type already is copied, also where it could not be encoded.
TEST(Quantize, DecodesQuantizedFiles) {
  const auto input = test_data("oracle/nano-qwen3-q8_0.gguf");
  expect_equal_tensors(quantized(input, "q8_0"), input);
  const auto f32 = scratch_folder() / "decoded.gguf";
  std::filesystem::copy_file(quantized(input, "f32"), f32, std::filesystem::copy_options::overwrite_existing);
  expect_equal_tensors(quantized(f32, "q8_0"), input);
  const gguf::File decoded(quantized(test_data("oracle/nano-qwen3-iq4_nl.gguf"), "f16"));
  EXPECT_EQ(decoded.reader().find_tensor("blk.0.attn_q.weight")->dtype, DType::kF16);
}

TEST(Quantize, PureLeavesOutTheRules) {
  const auto input = test_data("oracle/nano-qwen2-f16.gguf");
  EXPECT_EQ(gguf::File(quantized(input, "q4_0", 2, true)).reader().find_tensor("token_embd.weight")->dtype,
            DType::kQ4_0);
  EXPECT_EQ(gguf::File(quantized(input, "q4_0")).reader().find_tensor("token_embd.weight")->dtype,
            DType::kQ8_0);
}

TEST(Quantize, ShortRowsFallBack) {
  const gguf::File file(quantized(test_data("tiny-bytes.gguf"), "q4_k"));
  for (const gguf::TensorInfo& info : file.reader().tensors()) {
    if (info.name == "token_embd.weight" || info.name == "output.weight") continue;
    EXPECT_EQ(info.dtype, is_quantizable(info.name, info.shape) ? DType::kQ5_0 : DType::kF32) << info.name;
  }
}

TEST(Quantize, RefusesWeightsThatAreNotFinite) {
  const auto folder = fresh_folder("not-finite");
  std::vector<float> weights(3 * 64, 0.25f);
  weights[2 * 64 + 5] = std::numeric_limits<float>::quiet_NaN();
  const auto input = small_model(folder, weights);
  for (const char* type : {"q8_0", "f32"})  // encoded, and copied
    for (const int threads : {1, 3})
      expect_contains(refusal<InvalidFileError>({input, folder / "out.gguf", threads}, type),
                      {"small.gguf", "blk.0.attn_q.weight", "row 2, column 5", "nan"});
  EXPECT_TRUE(folder_holds_only(folder, 1));  // no half file, no temporary one
}

TEST(Quantize, RefusesPathsThatCannotBe) {
  const auto folder = fresh_folder("paths");
  const auto input = small_model(folder, std::vector<float>(3 * 64, 0.25f));
  expect_contains(refusal<InvalidRequestError>({input, input}), {"same file"});
  std::filesystem::create_symlink(input, folder / "link.gguf");
  expect_contains(refusal<InvalidRequestError>({input, folder / "link.gguf", 1, false, true}), {"same file"});
  expect_contains(refusal<InvalidRequestError>({input, folder / "missing" / "out.gguf"}),
                  {"no folder", "missing"});
  expect_contains(refusal<InvalidRequestError>({input, folder}), {"folder"});
  expect_contains(refusal<InvalidRequestError>({folder / "missing.gguf", folder / "out.gguf"}),
                  {"missing.gguf"});
  std::ofstream(folder / "old.gguf") << "old";
  expect_contains(refusal<InvalidRequestError>({input, folder / "old.gguf"}),
                  {"old.gguf", "exists", "--force"});
  EXPECT_EQ(test::read_text(folder / "old.gguf"), "old");
  quantize({input, folder / "old.gguf", 1, false, true}, *find_file_type("q8_0"), {});
  EXPECT_EQ(gguf::File(folder / "old.gguf").reader().tensors().size(), 1u);
}

TEST(Quantize, RefusesTruncatedFiles) {
  const auto folder = fresh_folder("truncated");
  const auto input = small_model(folder, std::vector<float>(3 * 64, 0.25f));
  std::filesystem::resize_file(input, std::filesystem::file_size(input) - 33);
  expect_contains(refusal<InvalidFileError>({input, folder / "out.gguf"}),
                  {"small.gguf", "blk.0.attn_q.weight"});
  EXPECT_TRUE(folder_holds_only(folder, 1));
}

TEST(Quantize, StopsOnRequest) {
  const auto folder = fresh_folder("stopped");
  const auto input = small_model(folder, std::vector<float>(3 * 64, 0.25f));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(quantize({input, folder / "out.gguf"}, *find_file_type("q8_0"), stop.get_token()),
               CancelledError);
  EXPECT_TRUE(folder_holds_only(folder, 1));
}

TEST(QuantizeCommand, UnknownTypesAreUsageErrors) {
  CLI::App parser;
  const CommandBody body = declare_quantize(parser);
  parser.parse(std::vector<std::string>{"q4_x", "out.gguf", "in.gguf"});  // CLI11 takes them in reverse
  try {
    body();
    FAIL() << "not refused";
  } catch (const UsageError& error) {
    expect_contains(error.what(), {"q4_x", "q4_k_m", "bf16"});
  }
}

}  // namespace
}  // namespace minfer::cli
