#include "quant/encode_rows.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "minfer/error.h"
#include "quant/golden.h"
#include "quant/traits.h"
#include "support/data.h"

namespace minfer::test {
namespace {

template <typename Exception>
std::string message_of(DType type, const std::vector<float>& values, std::int64_t n_rows) {
  const std::int64_t n_cols = static_cast<std::int64_t>(values.size()) / n_rows;
  std::vector<std::byte> out(values.size() * sizeof(float));
  try {
    encode_rows(type, values.data(), n_rows, n_cols, out.data());
  } catch (const Exception& error) {
    return error.what();
  }
  return "no error";
}

TEST(EncodeRows, EncodesEachRowAsTheGoldenDoes) {
  const Golden golden = load_golden(test_data("quant"));
  for (const GoldenType& type : golden.types) {
    const DType dtype = dtype_from_name(type.name).value();
    if (!quant_traits(dtype).encode) continue;
    std::vector<std::byte> out(type.blocks.size());
    encode_rows(dtype, golden.weights.data(), static_cast<std::int64_t>(golden.n_rows()),
                static_cast<std::int64_t>(golden.row), out.data());
    EXPECT_EQ(out, type.blocks) << type.name;
  }
}

TEST(EncodeRows, RefusesNonFiniteValuesAndNamesThem) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    std::vector<float> values(3 * 64, 0.5f);
    values[64 + 17] = bad;
    const std::string message = message_of<InvalidFileError>(DType::kQ8_0, values, 3);
    EXPECT_NE(message.find("row 1, column 17"), std::string::npos) << message;
    EXPECT_EQ(message_of<InvalidFileError>(DType::kF32, values, 3), message);
  }
}

TEST(EncodeRows, RefusesValuesThatTheTypeCannotHold) {
  std::vector<float> values(64, 0.5f);
  values[40] = 1e6f;
  EXPECT_EQ(message_of<InvalidFileError>(DType::kF32, values, 1), "no error");
  EXPECT_EQ(message_of<InvalidFileError>(DType::kQ8_0, values, 1), "no error");
  const std::string message = message_of<InvalidFileError>(DType::kF16, values, 1);
  EXPECT_NE(message.find("row 0, column 40"), std::string::npos) << message;
  values[40] = 1e30f;
  EXPECT_NE(message_of<InvalidFileError>(DType::kQ8_0, values, 1), "no error");
}

TEST(EncodeRows, RefusesTypesAndShapesItCannotEncode) {
  const std::vector<float> values(2 * 96, 0.5f);
  EXPECT_EQ(message_of<InvalidFileError>(DType::kQ4_0, values, 2), "no error");
  EXPECT_EQ(message_of<UnsupportedError>(DType::kQ4_K, values, 2),
            "rows of 96 values cannot be encoded to q4_K, which has blocks of 256");
  EXPECT_EQ(message_of<UnsupportedError>(DType::kIQ4_NL, values, 2), "encoding to iq4_nl is not supported");
  EXPECT_NE(message_of<UnsupportedError>(DType::kIQ2_S, values, 2), "no error");
}

}  // namespace
}  // namespace minfer::test
