// Codecs against ggml's reference code, from our own fixture and, where it is there, the shared oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "quant/float16.h"
#include "quant/golden.h"
#include "quant/q4_1.h"
#include "quant/q5_1.h"
#include "quant/q8_1.h"
#include "quant/q8_k.h"
#include "quant/traits.h"
#include "support/data.h"

namespace minfer::test {
namespace {

const QuantTraits& traits_of(const GoldenType& type) {
  return quant_traits(dtype_from_name(type.name).value());
}

class QuantGolden : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam()) MINFER_NEED_SHARED();
    golden_ = load_golden(GetParam() ? shared_data("quant") : test_data("quant"));
  }

  Golden golden_;
};

INSTANTIATE_TEST_SUITE_P(Folder, QuantGolden, testing::Bool(),
                         [](const auto& folder) { return folder.param ? "shared" : "fixture"; });

TEST_P(QuantGolden, CoversEveryType) { EXPECT_EQ(golden_.types.size(), all_quant_traits().size() - 1); }

TEST_P(QuantGolden, DecodesToTheSameBits) {
  for (const GoldenType& type : golden_.types) {
    SCOPED_TRACE(type.name);
    ASSERT_EQ(type.blocks.size(), row_bytes(traits_of(type).type, static_cast<std::int64_t>(golden_.n())));
    std::vector<float> decoded(golden_.n(), NAN);
    traits_of(type).decode(type.blocks.data(), decoded.data(), static_cast<std::int64_t>(golden_.n()));
    for (std::size_t i = 0; i < golden_.n(); ++i)
      ASSERT_EQ(float_to_bits(decoded[i]), float_to_bits(type.decoded[i])) << "value " << i;
  }
}

TEST_P(QuantGolden, EncodesToTheSameBytes) {
  int n_encoders = 0;
  for (const GoldenType& type : golden_.types) {
    if (!traits_of(type).encode) continue;
    SCOPED_TRACE(type.name);
    ++n_encoders;
    std::vector<std::byte> blocks(type.blocks.size(), std::byte{0xa5});
    traits_of(type).encode(golden_.weights.data(), blocks.data(), static_cast<std::int64_t>(golden_.n()));
    for (std::size_t i = 0; i < blocks.size(); ++i)
      ASSERT_EQ(blocks[i], type.blocks[i])
          << "byte " << i << " in row " << i * golden_.n_rows() / blocks.size();
  }
  EXPECT_EQ(n_encoders, 10);
}

TEST_P(QuantGolden, ActivationBlocks) {
  const auto n = static_cast<std::int64_t>(golden_.n());
  std::vector<std::byte> q8_0(golden_.q8_0.size()), q8_1(golden_.q8_1.size()), q8_k(golden_.q8_k.size());
  quant_traits(DType::kQ8_0).encode(golden_.activations.data(), q8_0.data(), n);
  encode_q8_1(golden_.activations.data(), q8_1.data(), n);
  encode_q8_k(golden_.activations.data(), q8_k.data(), n);
  EXPECT_EQ(q8_0, golden_.q8_0);
  EXPECT_EQ(q8_1, golden_.q8_1);
  EXPECT_EQ(q8_k, golden_.q8_k);
}

std::vector<float> decoded_activations(const Golden& golden, const std::string& type) {
  const auto n = static_cast<std::int64_t>(golden.n());
  std::vector<float> values(golden.n());
  if (type == "q8_0")
    quant_traits(DType::kQ8_0).decode(golden.q8_0.data(), values.data(), n);
  else if (type == "q8_1")
    decode_q8_1(golden.q8_1.data(), values.data(), n);
  else if (type == "q8_K")
    decode_q8_k(golden.q8_k.data(), values.data(), n);
  else {
    const QuantTraits& traits = quant_traits(dtype_from_name(type).value());
    std::vector<std::byte> bytes(row_bytes(traits.type, n));
    traits.encode(golden.activations.data(), bytes.data(), n);
    traits.decode(bytes.data(), values.data(), n);
  }
  return values;
}

// ggml takes the minimums' part of a Q4_1 or Q5_1 product from the float16 sums of Q8_1 blocks; the dot of
// decoded values has exact sums. The difference is at most half a unit in the last place of each sum, 2^-11
// of it.
template <typename Block>
double minimum_slack(const Golden& golden, const GoldenType& type, std::size_t row) {
  double slack = 0.0;
  for (std::size_t i = row * golden.row / 32; i < (row + 1) * golden.row / 32; ++i) {
    Block weights;
    BlockQ8_1 activations;
    std::memcpy(&weights, type.blocks.data() + i * sizeof(Block), sizeof(Block));
    std::memcpy(&activations, golden.q8_1.data() + i * sizeof(BlockQ8_1), sizeof(BlockQ8_1));
    slack += std::fabs(fp16_to_fp32(weights.m) * fp16_to_fp32(activations.s)) * 0x1p-11;
  }
  return slack;
}

bool has_minimum(const std::string& type) {
  return type == "q4_1" || type == "q5_1" || type == "q2_K" || type == "q4_K" || type == "q5_K";
}

// Sum of |w * a|, that a dot product's rounding is measured by. Where a type has a minimum, w = scale * code
// - min may be a small difference of large numbers, rounded like these, so the largest |w| of each 32 stands
// for all.
double magnitude_of_row(const Golden& golden, const GoldenType& type, const std::vector<float>& activations,
                        std::size_t row) {
  double magnitude = 0.0;
  for (std::size_t i = row * golden.row; i < (row + 1) * golden.row; ++i) {
    double weight = std::fabs(type.decoded[i]);
    if (has_minimum(type.name))
      for (std::size_t j = i / 32 * 32; j < (i / 32 + 1) * 32; ++j)
        weight = std::max<double>(weight, std::fabs(type.decoded[j]));
    magnitude += weight * std::fabs(activations[i]);
  }
  return magnitude;
}

// The codecs of weights and activations together: what every kernel's dot product is later tested against.
TEST_P(QuantGolden, DotOfDecodedValuesIsTheGoldenDot) {
  for (const GoldenType& type : golden_.types) {
    const std::vector<float> activations = decoded_activations(golden_, type.activation);
    for (std::size_t row = 0; row < golden_.n_rows(); ++row) {
      SCOPED_TRACE(type.name + " row " + std::to_string(row));
      double dot = 0.0;
      for (std::size_t i = row * golden_.row; i < (row + 1) * golden_.row; ++i)
        dot += static_cast<double>(type.decoded[i]) * activations[i];
      double tolerance = 1e-6 * magnitude_of_row(golden_, type, activations, row);
      if (type.name == "q4_1") tolerance += minimum_slack<BlockQ4_1>(golden_, type, row);
      if (type.name == "q5_1") tolerance += minimum_slack<BlockQ5_1>(golden_, type, row);
      EXPECT_NEAR(dot, type.dots[row], tolerance);
    }
  }
}

}  // namespace
}  // namespace minfer::test
