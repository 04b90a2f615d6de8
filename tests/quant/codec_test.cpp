// What holds for every codec, whatever the values: bounds of the round trip, hostile bytes, independence of
// blocks, unaligned memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "minfer/error.h"
#include "quant/float16.h"
#include "quant/traits.h"

namespace minfer {
namespace {

constexpr std::int64_t kBlock = 256;  // a multiple of every type's block

std::vector<float> random_values(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.0f, 0.05f);
  std::vector<float> values(n);
  for (float& value : values) value = normal(random);
  return values;
}

std::vector<std::byte> random_bytes(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(n);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

std::vector<float> decode(const QuantTraits& traits, const std::byte* blocks, std::int64_t n) {
  std::vector<float> values(static_cast<std::size_t>(n), std::numeric_limits<float>::max());
  traits.decode(blocks, values.data(), n);
  return values;
}

std::vector<std::byte> encode(const QuantTraits& traits, const std::vector<float>& values) {
  const auto n = static_cast<std::int64_t>(values.size());
  std::vector<std::byte> blocks(row_bytes(traits.type, n), std::byte{0xa5});
  traits.encode(values.data(), blocks.data(), n);
  return blocks;
}

TEST(QuantTraits, AreFoundByType) {
  EXPECT_EQ(all_quant_traits().size(), 15u);
  for (const QuantTraits* traits : all_quant_traits()) {
    EXPECT_EQ(find_quant_traits(traits->type), traits);
    EXPECT_EQ(&quant_traits(traits->type), traits);
    EXPECT_EQ(kBlock % dtype_info(traits->type).block_values, 0);
  }
  EXPECT_EQ(find_quant_traits(DType::kIQ2_S), nullptr);
  EXPECT_EQ(find_quant_traits(DType::kQ8_K), nullptr);
  EXPECT_THROW(quant_traits(DType::kIQ2_S), UnsupportedError);
}

TEST(QuantTraits, ActivationsFollowTheBlockSize) {
  for (const QuantTraits* traits : all_quant_traits()) {
    if (traits->activation == DType::kF32) continue;
    const bool small = dtype_info(traits->type).block_values == 32;
    EXPECT_EQ(traits->activation, small ? DType::kQ8Row32 : DType::kQ8Row256) << dtype_name(traits->type);
  }
}

// Root mean square error relative to that of normal values: about 2^-bits, from the goldens' figures and up
// 10 %.
TEST(QuantCodec, RoundTripErrorIsThatOfTheType) {
  const std::map<DType, double> bounds = {{DType::kF32, 0.0},    {DType::kF16, 2.5e-4},  {DType::kBF16, 2e-3},
                                          {DType::kQ4_0, 0.1},   {DType::kQ4_1, 0.09},   {DType::kQ5_0, 0.05},
                                          {DType::kQ5_1, 0.045}, {DType::kQ8_0, 6.5e-3}, {DType::kQ4_K, 0.08},
                                          {DType::kQ5_K, 0.04},  {DType::kQ6_K, 0.022}};
  const std::vector<float> values = random_values(16 * kBlock, 1);
  for (const auto& [type, bound] : bounds) {
    const std::vector<float> decoded =
        decode(quant_traits(type), encode(quant_traits(type), values).data(), 16 * kBlock);
    double error = 0.0, norm = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      error += std::pow(static_cast<double>(decoded[i]) - values[i], 2);
      norm += std::pow(static_cast<double>(values[i]), 2);
    }
    EXPECT_LE(std::sqrt(error / norm), bound) << dtype_name(type);
    EXPECT_GE(std::sqrt(error / norm), bound / 3) << dtype_name(type) << ": the bound has become pointless";
  }
}

TEST(QuantCodec, HostileBytesDecodeToSomething) {
  for (const QuantTraits* traits : all_quant_traits()) {
    const std::size_t n_bytes = row_bytes(traits->type, 64 * kBlock);
    for (unsigned seed = 0; seed < 20; ++seed) {
      const std::vector<std::byte> bytes = random_bytes(n_bytes, seed);
      const std::vector<float> values = decode(*traits, bytes.data(), 64 * kBlock);
      EXPECT_EQ(std::count(values.begin(), values.end(), std::numeric_limits<float>::max()), 0)
          << "left unwritten";
    }
    for (const int byte : {0x00, 0xff, 0x7c, 0x80}) {
      const std::vector<std::byte> bytes(n_bytes, static_cast<std::byte>(byte));
      decode(*traits, bytes.data(), 64 * kBlock);
    }
  }
}

TEST(QuantCodec, NanScaleStaysNan) {
  for (const QuantTraits* traits : all_quant_traits()) {
    const std::vector<std::byte> bytes(row_bytes(traits->type, kBlock),
                                       std::byte{0x7f});  // 0x7f7f: NaN as float16
    if (traits->type == DType::kF32 || traits->type == DType::kBF16) continue;
    for (const float value : decode(*traits, bytes.data(), kBlock))
      EXPECT_TRUE(std::isnan(value)) << dtype_name(traits->type);
  }
}

TEST(QuantCodec, BlocksAreIndependentAndMayLieAnywhere) {
  const std::vector<float> values = random_values(3 * kBlock, 2);
  for (const QuantTraits* traits : all_quant_traits()) {
    const std::size_t block_bytes = row_bytes(traits->type, kBlock);
    const std::vector<std::byte> blocks =
        traits->encode ? encode(*traits, values) : random_bytes(3 * block_bytes, 3);
    const std::vector<float> all = decode(*traits, blocks.data(), 3 * kBlock);
    std::vector<std::byte> odd(block_bytes + 1);
    std::copy_n(blocks.begin() + static_cast<std::ptrdiff_t>(block_bytes), block_bytes, odd.begin() + 1);
    const std::vector<float> middle = decode(*traits, odd.data() + 1, kBlock);
    EXPECT_EQ(std::memcmp(middle.data(), all.data() + kBlock, kBlock * sizeof(float)), 0)
        << dtype_name(traits->type);
  }
}

// Encoders take any finite values: also those whose scales vanish, overflow or have an infinite inverse.
TEST(QuantCodec, ExtremeValuesEncodeToSomething) {
  constexpr float kMax = std::numeric_limits<float>::max();
  constexpr float kTiny = std::numeric_limits<float>::denorm_min();
  for (const QuantTraits* traits : all_quant_traits()) {
    if (!traits->encode) continue;
    for (const float value : {0.0f, -0.0f, kTiny, 1e-38f, 1e-20f, 1e20f, kMax}) {
      std::vector<float> values(kBlock, value);
      encode(*traits, values);
      for (std::size_t i = 0; i < values.size(); i += 2) values[i] = -value;
      const std::vector<float> decoded = decode(*traits, encode(*traits, values).data(), kBlock);
      if (value > 1e-20f) continue;
      for (const float x : decoded)
        EXPECT_LE(std::fabs(x), 2e-20f) << dtype_name(traits->type) << " " << value;
    }
  }
}

}  // namespace
}  // namespace minfer
