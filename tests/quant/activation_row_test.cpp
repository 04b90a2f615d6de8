// Planar activation rows against ggml's blocks of the same values, and the rules for values that ggml leaves
// open.
#include "quant/activation_row.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "quant/float16.h"
#include "quant/golden.h"
#include "quant/q8_0.h"
#include "quant/q8_k.h"
#include "quant/traits.h"
#include "support/data.h"

namespace minfer::test {
namespace {

// A row in memory of our own, its bytes poisoned, with its planes.
struct Row {
  Row(DType type, std::size_t k, std::size_t group)
      : bytes(row_bytes(type, static_cast<std::int64_t>(k)), std::byte{0x5a}),
        q(reinterpret_cast<const std::int8_t*>(bytes.data())),
        d(reinterpret_cast<const float*>(bytes.data() + activation_scales_offset(k))),
        s(reinterpret_cast<const std::int16_t*>(bytes.data() + activation_sums_offset(k, group))) {}

  std::vector<std::byte> bytes;
  const std::int8_t* q;
  const float* d;
  const std::int16_t* s;
};

Row encode_32(const std::vector<float>& values) {
  Row row(DType::kQ8Row32, values.size(), 32);
  encode_q8_row32(values.data(), row.bytes.data(), static_cast<std::int64_t>(values.size()));
  return row;
}

Row encode_256(const std::vector<float>& values) {
  Row row(DType::kQ8Row256, values.size(), 256);
  encode_q8_row256(values.data(), row.bytes.data(), static_cast<std::int64_t>(values.size()));
  return row;
}

TEST(ActivationRow, LayoutIsAsDocumented) {
  EXPECT_EQ(activation_scales_offset(96), 128u);
  EXPECT_EQ(activation_sums_offset(96, 32), 192u);
  EXPECT_EQ(row_bytes(DType::kQ8Row32, 96), 256u);
  EXPECT_EQ(activation_scales_offset(4864), 4864u);
  EXPECT_EQ(activation_sums_offset(4864, 256), 4864u + 128u);
  EXPECT_EQ(row_bytes(DType::kQ8Row256, 4864), 4864u + 128u + 640u);
}

TEST(ActivationRow, Row32HasTheValuesOfGoldenQ8_0Blocks) {
  const Golden golden = load_golden(test_data("quant"));
  const Row row = encode_32(golden.activations);
  for (std::size_t i = 0; i < golden.n() / 32; ++i) {
    BlockQ8_0 block;
    std::memcpy(&block, golden.q8_0.data() + i * sizeof(block), sizeof(block));
    EXPECT_EQ(std::memcmp(block.qs, row.q + 32 * i, 32), 0) << i;
    EXPECT_EQ(row.d[i], fp16_to_fp32(block.d)) << i;
    int sum = 0;
    for (const std::int8_t q : block.qs) sum += q;
    EXPECT_EQ(row.s[i], sum) << i;
  }
}

TEST(ActivationRow, Row256HasTheValuesOfGoldenQ8_KBlocks) {
  const Golden golden = load_golden(test_data("quant"));
  const Row row = encode_256(golden.activations);
  for (std::size_t i = 0; i < golden.n() / 256; ++i) {
    BlockQ8_K block;
    std::memcpy(&block, golden.q8_k.data() + i * sizeof(block), sizeof(block));
    EXPECT_EQ(std::memcmp(block.qs, row.q + 256 * i, 256), 0) << i;
    EXPECT_EQ(row.d[i], block.d) << i;
    EXPECT_EQ(std::memcmp(block.bsums, row.s + 16 * i, sizeof(block.bsums)), 0) << i;
  }
}

TEST(ActivationRow, DecodeGivesBackTheBlocksValues) {
  const Golden golden = load_golden(test_data("quant"));
  const auto n = static_cast<std::int64_t>(golden.n());
  std::vector<float> expected(golden.n()), decoded(golden.n());
  quant_traits(DType::kQ8_0).decode(golden.q8_0.data(), expected.data(), n);
  decode_q8_row32(encode_32(golden.activations).bytes.data(), decoded.data(), n);
  EXPECT_EQ(decoded, expected);
  decode_q8_k(golden.q8_k.data(), expected.data(), n);
  decode_q8_row256(encode_256(golden.activations).bytes.data(), decoded.data(), n);
  EXPECT_EQ(decoded, expected);
}

// Rows whose planes end inside a 64-byte unit. Nothing before or after a plane may be needed or touched.
TEST(ActivationRow, TailsEncodeAsTheirBlocksDo) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  for (const std::size_t k : {32u, 64u, 96u, 160u, 1056u}) {
    std::vector<float> values(k);
    for (float& value : values) value = normal(random);
    const Row row = encode_32(values);
    std::vector<std::byte> blocks(row_bytes(DType::kQ8_0, static_cast<std::int64_t>(k)));
    quant_traits(DType::kQ8_0).encode(values.data(), blocks.data(), static_cast<std::int64_t>(k));
    for (std::size_t i = 0; i < k / 32; ++i) {
      EXPECT_EQ(std::memcmp(blocks.data() + i * sizeof(BlockQ8_0) + 2, row.q + 32 * i, 32), 0)
          << k << " " << i;
    }
    for (std::size_t i = k; i < activation_scales_offset(k); ++i) EXPECT_EQ(row.bytes[i], std::byte{0x5a});
  }
}

// Ties: scale 1 makes the quotient exact, so that halves are halves.
TEST(ActivationRow, TiesRoundAwayFromZeroIn32AndToEvenIn256) {
  std::vector<float> values(256, 0.0f);
  values[0] = -127.0f;  // the value of largest magnitude: scale 1 in both formats
  values[1] = 0.5f, values[2] = 1.5f, values[3] = -2.5f;
  const Row away = encode_32(values);
  EXPECT_EQ(away.d[0], 1.0f);
  EXPECT_EQ((std::vector<int>(away.q, away.q + 4)), (std::vector<int>{-127, 1, 2, -3}));
  const Row even = encode_256(values);
  EXPECT_EQ(even.d[0], 1.0f);
  EXPECT_EQ((std::vector<int>(even.q, even.q + 4)), (std::vector<int>{-127, 0, 2, -2}));
}

TEST(ActivationRow, ZerosAndTinyValuesBecomeZeros) {
  for (const float value : {0.0f, -0.0f, std::numeric_limits<float>::denorm_min(), 1e-39f}) {
    const std::vector<float> values(256, value);
    for (const Row& row : {encode_32(values), encode_256(values)}) {
      EXPECT_EQ(row.d[0], 0.0f) << value;
      for (int j = 0; j < 256; ++j) EXPECT_EQ(row.q[j], 0) << value;
      EXPECT_EQ(row.s[0], 0) << value;
    }
  }
}

// A broken model's NaN must reach the logits, where it is reported, and not vanish in a conversion.
TEST(ActivationRow, NonFiniteValuesMakeTheirGroupsScaleNan) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()}) {
    std::vector<float> values(512, 1.0f);
    values[300] = bad;
    const Row row32 = encode_32(values), row256 = encode_256(values);
    for (int i = 0; i < 16; ++i) EXPECT_EQ(std::isnan(row32.d[i]), i == 9) << i;
    EXPECT_EQ(row32.q[301], 0);
    EXPECT_EQ(row32.q[320], 127);
    EXPECT_FALSE(std::isnan(row256.d[0]));
    EXPECT_TRUE(std::isnan(row256.d[1]));
    EXPECT_EQ(row256.q[256], 0);
  }
}

}  // namespace
}  // namespace minfer::test
