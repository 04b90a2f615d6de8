// Whole models: encoding a float32 file's tensors gives the tensor data of the files that llama.cpp's quantizer
// made of it, byte for byte.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "gguf/file.h"
#include "quant/encode_rows.h"
#include "quant/traits.h"
#include "support/data.h"

namespace minfer::test {
namespace {

struct Quantized {
  const char* model;  // its float32 file is MODEL-f32.gguf
  const char* file_type;
  DType type;  // of most matrices in MODEL-FILE_TYPE.gguf
};

constexpr Quantized kFiles[] = {
    {"nano-llama", "q4_0", DType::kQ4_0},  {"nano-llama", "q8_0", DType::kQ8_0},
    {"nano-qwen2", "f16", DType::kF16},    {"nano-qwen2", "bf16", DType::kBF16},
    {"nano-qwen2", "q4_0", DType::kQ4_0},  {"nano-qwen2", "q4_1", DType::kQ4_1},
    {"nano-qwen2", "q5_0", DType::kQ5_0},  {"nano-qwen2", "q5_1", DType::kQ5_1},
    {"nano-qwen2", "q8_0", DType::kQ8_0},  {"nano-qwen3", "f16", DType::kF16},
    {"nano-qwen3", "bf16", DType::kBF16},  {"nano-qwen3", "q4_0", DType::kQ4_0},
    {"nano-qwen3", "q4_1", DType::kQ4_1},  {"nano-qwen3", "q5_0", DType::kQ5_0},
    {"nano-qwen3", "q5_1", DType::kQ5_1},  {"nano-qwen3", "q8_0", DType::kQ8_0},
    {"tiny-llama3", "q5_1", DType::kQ5_1}, {"tiny-llama3", "q4_k_m", DType::kQ4_K},
};

std::filesystem::path oracle_file(const std::string& model, const std::string& file_type) {
  return shared_data("oracle/" + model + "-" + file_type + ".gguf");
}

class OracleFile : public testing::TestWithParam<Quantized> {
 protected:
  void SetUp() override { MINFER_NEED_SHARED(); }
};

std::string name_of(const testing::TestParamInfo<Quantized>& file) {
  std::string name = std::string(file.param.model) + "_" + file.param.file_type;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Quantize, OracleFile, testing::ValuesIn(kFiles), name_of);

std::vector<std::byte> encode_as(DType type, const TensorView& source) {
  std::vector<float> values(source.bytes / sizeof(float));
  std::memcpy(values.data(), source.data, source.bytes);
  std::vector<std::byte> encoded(tensor_bytes({type, source.desc.shape}));
  encode_rows(type, values.data(), source.desc.shape.rows(), source.desc.shape.cols(), encoded.data());
  return encoded;
}

TEST_P(OracleFile, TensorDataIsEqual) {
  const gguf::File source(oracle_file(GetParam().model, "f32"));
  const gguf::File result(oracle_file(GetParam().model, GetParam().file_type));
  std::map<DType, int> n_tensors;
  for (const gguf::TensorInfo& info : result.reader().tensors()) {
    SCOPED_TRACE(std::string(info.name));
    const gguf::TensorInfo* original = source.reader().find_tensor(info.name);
    ASSERT_NE(original, nullptr);
    ASSERT_EQ(original->dtype, DType::kF32);
    const std::vector<std::byte> encoded = encode_as(info.dtype.value(), source.reader().view(*original));
    const TensorView expected = result.reader().view(info);
    ASSERT_EQ(encoded.size(), expected.bytes);
    EXPECT_EQ(std::memcmp(encoded.data(), expected.data, expected.bytes), 0) << dtype_name(*info.dtype);
    ++n_tensors[*info.dtype];
  }
  EXPECT_GT(n_tensors[GetParam().type], 5);
}

}  // namespace
}  // namespace minfer::test
