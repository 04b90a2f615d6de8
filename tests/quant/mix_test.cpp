#include "quant/mix.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "gguf/file.h"
#include "gguf/metadata.h"
#include "support/data.h"

namespace minfer::test {
namespace {

const FileType& file_type(std::string_view name) {
  const FileType* found = find_file_type(name);
  if (!found) throw std::runtime_error("no file type " + std::string(name));
  return *found;
}

DType type_of(std::string_view type, const MixModel& model, const std::string& tensor,
              std::int64_t cols = 4096) {
  return choose_type(file_type(type), model, tensor, {cols, 1024}).type;
}

// The layers in which a tensor gets `type`.
std::vector<int> layers_with(DType type, std::string_view name, const MixModel& model,
                             const std::string& part) {
  std::vector<int> layers;
  for (int i = 0; i < model.n_layer; ++i)
    if (type_of(name, model, "blk." + std::to_string(i) + "." + part) == type) layers.push_back(i);
  return layers;
}

TEST(FileType, IsFoundByName) {
  EXPECT_EQ(find_file_type("Q4_K_M"), find_file_type("q4_k_m"));
  EXPECT_EQ(file_type("q4_k_m").id, 15u);
  EXPECT_EQ(find_file_type("q4_k_x"), nullptr);
  EXPECT_EQ(find_file_type(""), nullptr);
  for (const FileType& listed : file_types())
    EXPECT_NE(file_type_names().find(listed.name), std::string::npos) << listed.name;
}

TEST(Mix, OnlyMatricesAreQuantized) {
  EXPECT_TRUE(is_quantizable("token_embd.weight", {64, 512}));
  EXPECT_TRUE(is_quantizable("blk.0.ffn_up_exps.weight", {64, 32, 8}));
  EXPECT_FALSE(is_quantizable("blk.0.attn_q.bias", {64, 2}));
  EXPECT_FALSE(is_quantizable("blk.0.attn_q_norm.weight", {64, 2}));
  EXPECT_FALSE(is_quantizable("blk.0.ffn_gate_inp.weight", {64, 8}));
  EXPECT_FALSE(is_quantizable("rope_freqs.weight", {64}));
  EXPECT_FALSE(is_quantizable("output.weight", {64, 1}));
}

// The 32 layers of Llama 3 8B. Its published Q4_K_M file has 33 matrices in Q6_K: these two times 16, and the head.
TEST(Mix, SensitiveLayersOf32) {
  const MixModel model{32, true, false};
  const std::vector<int> expected = {0, 1, 2, 3, 6, 9, 12, 15, 18, 21, 24, 27, 28, 29, 30, 31};
  for (const char* part : {"attn_v.weight", "ffn_down.weight"}) {
    EXPECT_EQ(layers_with(DType::kQ6_K, "q4_k_m", model, part), expected);
    EXPECT_EQ(layers_with(DType::kQ6_K, "q5_k_m", model, part), expected);
  }
  for (const char* part :
       {"attn_q.weight", "attn_k.weight", "attn_output.weight", "ffn_up.weight", "ffn_gate.weight"})
    EXPECT_EQ(layers_with(DType::kQ4_K, "q4_k_m", model, part).size(), 32u) << part;
  EXPECT_EQ(layers_with(DType::kQ5_K, "q4_k_s", model, "attn_v.weight"), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(layers_with(DType::kQ5_K, "q4_k_s", {24, true, false}, "ffn_down.weight"),
            (std::vector{0, 1, 2}));
}

TEST(Mix, HeadGetsMoreBits) {
  const MixModel tied{4, false, true}, untied{4, false, false};
  EXPECT_EQ(type_of("q4_0", untied, "output.weight"), DType::kQ6_K);
  EXPECT_EQ(type_of("q4_0", untied, "token_embd.weight"), DType::kQ4_0);
  EXPECT_EQ(type_of("q4_0", tied, "token_embd.weight"), DType::kQ6_K);
  EXPECT_EQ(type_of("q8_0", tied, "token_embd.weight"), DType::kQ8_0);
  EXPECT_EQ(type_of("f16", tied, "token_embd.weight"), DType::kF16);
  EXPECT_EQ(choose_type(file_type("q4_0"), tied, "token_embd.weight", {4096, 64}, true).type, DType::kQ4_0);
}

TEST(Mix, ValuesOfEightyLayersAreShared) {
  EXPECT_EQ(type_of("q4_k_m", {80, true, false}, "blk.10.attn_v.weight"), DType::kQ5_K);
  EXPECT_EQ(type_of("q4_k_m", {80, false, false}, "blk.10.attn_v.weight"), DType::kQ4_K);
  EXPECT_EQ(type_of("q4_k_m", {80, true, false}, "blk.0.attn_v.weight"), DType::kQ6_K);
}

TEST(Mix, RowsThatDoNotFitFallBack) {
  const MixModel model{8, true, false};
  const auto choice = [&](const char* type, std::int64_t cols) {
    return choose_type(file_type(type), model, "blk.3.attn_q.weight", {cols, 64});
  };
  EXPECT_EQ(choice("q4_k_m", 896).type, DType::kQ5_0);
  EXPECT_EQ(choice("q4_k_m", 896).wanted, DType::kQ4_K);
  EXPECT_EQ(choice("q5_k_m", 896).type, DType::kQ5_1);
  EXPECT_EQ(choice("q6_k", 896).type, DType::kQ8_0);
  EXPECT_EQ(choice("q6_k", 100).type, DType::kF16);
  EXPECT_EQ(choice("q4_0", 100).type, DType::kF16);
  EXPECT_EQ(choice("f32", 100).type, DType::kF32);
  EXPECT_EQ(choose_type(file_type("q4_k_m"), model, "output.weight", {896, 64}).type, DType::kQ8_0);
}

MixModel model_of(const gguf::Reader& reader) {
  const std::string architecture(gguf::get_string(reader, "general.architecture"));
  return {static_cast<int>(gguf::get_u32(reader, architecture + ".block_count", 1, 1000)), true,
          reader.find_tensor("output.weight") == nullptr};
}

void expect_types_of_file(const std::filesystem::path& path, std::string_view name) {
  SCOPED_TRACE(path.filename().string());
  const gguf::File file(path);
  const gguf::Reader& reader = file.reader();
  EXPECT_EQ(gguf::get_u32(reader, "general.file_type", 0, 1000), file_type(name).id);
  const MixModel model = model_of(reader);
  int n_checked = 0;
  for (const gguf::TensorInfo& info : reader.tensors()) {
    if (!is_quantizable(info.name, info.shape)) {
      EXPECT_EQ(info.dtype, DType::kF32) << info.name;
      continue;
    }
    EXPECT_EQ(info.dtype, choose_type(file_type(name), model, info.name, info.shape).type) << info.name;
    ++n_checked;
  }
  EXPECT_GT(n_checked, 10);
}

// Files that llama.cpp's quantizer made.
TEST(Mix, ChoosesTheTypesOfTheRepositorysFiles) {
  expect_types_of_file(model_file("minfer-demo-q4_k_m.gguf"), "q4_k_m");
  expect_types_of_file(test_data("oracle/nano-llama-q8_0.gguf"), "q8_0");
  expect_types_of_file(test_data("oracle/nano-qwen2-q5_1.gguf"), "q5_1");
}

TEST(Mix, ChoosesTheTypesOfTheOracles) {
  MINFER_NEED_SHARED();
  const std::vector<std::pair<const char*, const char*>> files = {
      {"tiny-llama-q4_k_m", "q4_k_m"}, {"tiny-llama-q6_k", "q6_k"},     {"tiny-llama3-q4_k_m", "q4_k_m"},
      {"tiny-qwen2-q4_k_m", "q4_k_m"}, {"tiny-qwen3-q5_k_m", "q5_k_m"}, {"tiny-qwen3-q4_k_m", "q4_k_m"},
      {"nano-llama-q4_0", "q4_0"},     {"tiny-qwen3-q5_0", "q5_0"},     {"nano-qwen2-f16", "f16"},
      {"nano-qwen3-bf16", "bf16"},     {"nano-qwen2-q4_1", "q4_1"}};
  for (const auto& [file, type] : files)
    expect_types_of_file(shared_data(std::string("oracle/") + file + ".gguf"), type);
}

}  // namespace
}  // namespace minfer::test
