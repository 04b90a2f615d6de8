#include "ops/rope_angles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "minfer/error.h"

namespace minfer::test {
namespace {

struct Expected {
  std::size_t pair;
  double frequency;
};

void expect_frequencies(const RopeTable& op, std::initializer_list<Expected> expected,
                        std::span<const float> divisors = {}) {
  const auto frequencies = rope_frequencies(op, divisors);
  ASSERT_EQ(frequencies.size(), static_cast<std::size_t>(op.n_dims) / 2);
  for (const auto& [pair, frequency] : expected) EXPECT_NEAR(frequencies[pair] / frequency, 1, 1e-12) << pair;
}

TEST(RopeAngles, FrequenciesFallGeometrically) {
  expect_frequencies({.n_dims = 8, .base = 1e4f}, {{0, 1}, {1, 0.1}, {2, 0.01}, {3, 0.001}});
}

TEST(RopeAngles, LinearScalingDividesByTheFactor) {
  expect_frequencies({.n_dims = 8, .base = 1e4f, .scaling = RopeScaling::kLinear, .factor = 4},
                     {{0, 0.25}, {3, 0.00025}});
}

TEST(RopeAngles, DivisorsDivide) {
  const std::array<float, 4> divisors{1, 2, 4, 8};
  expect_frequencies({.n_dims = 8, .base = 1e4f}, {{0, 1}, {1, 0.05}, {3, 0.000125}}, divisors);
}

// The numbers are those of _compute_yarn_parameters in transformers/modeling_rope_utils.py for the settings that
// Qwen2.5's model card gives for long contexts, and for a small context. The ramps run over pairs 23-40 and 8-21.
TEST(RopeAngles, YarnBlendsBetweenTheCorrectionPairs) {
  expect_frequencies(
      {.n_dims = 128, .base = 1e6f, .scaling = RopeScaling::kYarn, .factor = 4, .original_context = 32768},
      {{0, 1.0},
       {1, 0.8058421877614819},
       {20, 0.01333521432163324},
       {24, 0.005375321490790102},
       {30, 0.0010643609812470017},
       {36, 0.00017984115587395423},
       {40, 4.445698525097307e-05},
       {50, 5.133812566142866e-06},
       {63, 3.102344401879299e-07}});
  expect_frequencies(
      {.n_dims = 64, .base = 1e4f, .scaling = RopeScaling::kYarn, .factor = 8, .original_context = 2048},
      {{5, 0.23713737056616555},
       {8, 0.1},
       {12, 0.02310895213199969},
       {16, 0.004615384615384615},
       {20, 0.0006081303192631497},
       {25, 9.373677616655697e-05},
       {31, 1.666901790204155e-05}});
}

// As llama.cpp's kernels compute it: in float32, the angle of pair i + 1 from that of pair i.
TEST(RopeAngles, AgreesWithTheIterativeFloatFormula) {
  const RopeTable op{
      .n_dims = 128, .base = 1e6f, .scaling = RopeScaling::kYarn, .factor = 4, .original_context = 32768};
  const auto frequencies = rope_frequencies(op, {});
  const float low =
      std::floor(128 * std::log(32768 / (32 * 2 * std::numbers::pi_v<float>)) / (2 * std::log(1e6f)));
  const float high =
      std::ceil(128 * std::log(32768 / (2 * std::numbers::pi_v<float>)) / (2 * std::log(1e6f)));
  const float position = 1000;
  float theta = position;
  for (std::size_t i = 0; i < 64; ++i) {
    const float keep = 1 - std::clamp((static_cast<float>(i) - low) / (high - low), 0.0f, 1.0f);
    const float angle = theta * keep + theta / 4 * (1 - keep);
    EXPECT_NEAR(frequencies[i] * position, angle, 1e-5 * angle + 1e-6) << i;
    theta *= std::pow(1e6f, -2.0f / 128);
  }
}

TEST(RopeAngles, YarnAttentionFactor) {
  EXPECT_FLOAT_EQ(yarn_attention_factor(4), 1.138629436f);
  EXPECT_EQ(yarn_attention_factor(1), 1);
  EXPECT_EQ(yarn_attention_factor(0.5f), 1);
}

TEST(RopeAngles, RowsAreScaledByTheAttentionFactor) {
  const std::array<double, 2> frequencies{0.5, 0.25};
  std::array<float, 4> row{};
  fill_rope_row(2, frequencies, 3, row);
  EXPECT_FLOAT_EQ(row[0], 3 * std::cos(1.0f));
  EXPECT_FLOAT_EQ(row[1], 3 * std::cos(0.5f));
  EXPECT_FLOAT_EQ(row[2], 3 * std::sin(1.0f));
  EXPECT_FLOAT_EQ(row[3], 3 * std::sin(0.5f));
}

TEST(RopeAngles, RefusesDivisorsThatDoNotFitAndYarnWithoutAContext) {
  const std::array<float, 3> divisors{1, 1, 1};
  EXPECT_THROW(rope_frequencies({.n_dims = 8, .base = 1e4f}, divisors), InternalError);
  EXPECT_THROW(rope_frequencies({.n_dims = 8, .base = 1e4f, .scaling = RopeScaling::kYarn, .factor = 2}, {}),
               InternalError);
}

}  // namespace
}  // namespace minfer::test
