#include "minfer/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "minfer/error.h"
#include "sampling/candidates.h"
#include "sampling/random.h"

namespace minfer {
namespace {

SamplingParams plain() {
  SamplingParams params;
  params.temperature = 1;
  params.top_k = 0;
  params.top_p = 1;
  params.min_p = 0;
  params.seed = 7;
  return params;
}

// How often each token is drawn in n draws. Draws differ by position only, as they do in a generated text.
std::map<TokenId, int> draw_many(const SamplingParams& params, std::span<const float> logits, int n) {
  Sampler sampler(params, static_cast<int>(logits.size()));
  std::map<TokenId, int> counts;
  for (int i = 0; i < n; ++i) ++counts[sampler.sample(logits)];
  return counts;
}

TEST(Sampler, GreedyTakesTheLowestIdAmongEquals) {
  SamplingParams params = plain();
  params.temperature = 0;
  Sampler sampler(params, 4);
  EXPECT_EQ(sampler.sample(std::vector<float>{1, 3, 3, 2}), 1);
  EXPECT_EQ(sampler.description(), "greedy");
}

// A bias of nothing makes the sampler look at every token; without it, only at the highest ones.
TEST(Sampler, LookingAtTheHighestAloneChangesNothing) {
  for (const auto& [temperature, top_k] : {std::pair{0.0f, 0}, {1.0f, 1}, {1.0f, 7}, {1.5f, 40}}) {
    std::vector<float> logits;
    for (int i = 0; i < 1000; ++i)
      logits.push_back(static_cast<float>(i * 7919 % 101) * 0.1f);  // with equals
    SamplingParams params = plain();
    params.temperature = temperature;
    params.top_k = top_k;
    Sampler quick(params, 1000);
    params.logit_bias = {{3, 0.0f}};
    Sampler thorough(params, 1000);
    for (int i = 0; i < 200; ++i) {
      std::rotate(logits.begin(), logits.begin() + 13, logits.end());
      ASSERT_EQ(quick.sample(logits), thorough.sample(logits)) << "top_k " << top_k << ", draw " << i;
    }
  }
}

TEST(Sampler, DrawsFollowTheSoftmaxOfTheLogits) {
  const std::vector<float> logits{0.0f, std::log(2.0f), std::log(5.0f)};
  const int n = 40000;
  auto counts = draw_many(plain(), logits, n);
  EXPECT_NEAR(counts[0], n * 0.125, 4 * std::sqrt(n * 0.125));
  EXPECT_NEAR(counts[1], n * 0.25, 4 * std::sqrt(n * 0.25));
  EXPECT_NEAR(counts[2], n * 0.625, 4 * std::sqrt(n * 0.625));
}

TEST(Sampler, TemperatureSharpensTheDistribution) {
  const std::vector<float> logits{0.0f, std::log(2.0f)};
  SamplingParams params = plain();
  params.temperature = 0.5f;  // 1 : 4
  const int n = 40000;
  EXPECT_NEAR(draw_many(params, logits, n)[1], n * 0.8, 4 * std::sqrt(n * 0.2));
}

TEST(Sampler, TruncationKeepsExactlyTheTokensItShould) {
  // Probabilities 0.5, 0.25, 0.125, 0.125.
  const std::vector<float> logits{std::log(4.0f), std::log(2.0f), 0.0f, 0.0f};
  SamplingParams top_k = plain();
  top_k.top_k = 3;  // of the two equals the lower id stays
  SamplingParams top_p = plain();
  top_p.top_p = 0.7f;
  SamplingParams min_p = plain();
  min_p.min_p = 0.3f;
  const auto ids = [&](const SamplingParams& params) {
    std::vector<TokenId> seen;
    for (const auto& [id, count] : draw_many(params, logits, 2000)) seen.push_back(id);
    return seen;
  };
  EXPECT_EQ(ids(top_k), (std::vector<TokenId>{0, 1, 2}));
  EXPECT_EQ(ids(top_p), (std::vector<TokenId>{0, 1}));
  EXPECT_EQ(ids(min_p), (std::vector<TokenId>{0, 1}));
  top_p.top_p = 0;  // keeps one
  EXPECT_EQ(ids(top_p), (std::vector<TokenId>{0}));
}

TEST(Sampler, PenaltiesFollowTheirFormulas) {
  SamplingParams params = plain();
  params.temperature = 0;
  params.repeat_penalty = 2;
  Sampler repeat(params, 3);
  repeat.accept(std::vector<TokenId>{0, 2});
  EXPECT_EQ(repeat.sample(std::vector<float>{3.0f, 1.6f, -0.5f}), 1);  // 3 -> 1.5, -0.5 -> -1

  params.repeat_penalty = 1;
  params.frequency_penalty = 0.5f;
  params.presence_penalty = 0.25f;
  Sampler counted(params, 2);
  counted.accept(std::vector<TokenId>{0, 0, 0});
  EXPECT_EQ(counted.sample(std::vector<float>{2.76f, 1.0f}), 0);  // 2.76 - 1.75 > 1
  EXPECT_EQ(counted.sample(std::vector<float>{2.76f, 1.0f}), 1);  // counted once more: 0.51 < 1

  params.repeat_last_n = 1;  // looks back on the last token only
  Sampler windowed(params, 2);
  windowed.accept(std::vector<TokenId>{0, 1});
  EXPECT_EQ(windowed.sample(std::vector<float>{1.0f, 1.5f}), 0);
}

TEST(Sampler, LogitBiasForcesAndForbids) {
  SamplingParams params = plain();
  params.logit_bias = {{1, 100.0f}};
  EXPECT_EQ(draw_many(params, std::vector<float>{1, 1, 1}, 100).at(1), 100);
  params.logit_bias = {{1, -std::numeric_limits<float>::infinity()}};
  EXPECT_EQ(draw_many(params, std::vector<float>{1, 1, 1}, 1000).count(1), 0u);
}

TEST(Sampler, TheSameSeedGivesTheSameTokensAndStreamsDiffer) {
  const std::vector<float> logits(1000, 0.0f);
  Sampler a(plain(), 1000), b(plain(), 1000), other(plain(), 1000, 1);
  int equal_in_other_stream = 0;
  for (int i = 0; i < 100; ++i) {
    const TokenId token = a.sample(logits);
    EXPECT_EQ(token, b.sample(logits));
    equal_in_other_stream += token == other.sample(logits);
  }
  EXPECT_LT(equal_in_other_stream, 5);
}

TEST(Sampler, ARandomSeedIsToldAndReproduces) {
  SamplingParams params = plain();
  params.seed = -1;
  const std::vector<float> logits(100, 0.0f);
  Sampler first(params, 100);
  Sampler second(first.params(), 100);
  EXPECT_GE(first.params().seed, 0);
  EXPECT_EQ(first.sample(logits), second.sample(logits));
}

TEST(Sampler, RefusesParametersOutOfRange) {
  const auto with = [](auto change) {
    SamplingParams params = plain();
    change(params);
    return params;
  };
  const std::vector<SamplingParams> bad = {
      with([](auto& p) { p.temperature = -1; }),
      with([](auto& p) { p.temperature = std::nanf(""); }),
      with([](auto& p) { p.top_p = 5; }),
      with([](auto& p) { p.min_p = -0.1f; }),
      with([](auto& p) { p.top_k = -1; }),
      with([](auto& p) { p.repeat_penalty = 0; }),
      with([](auto& p) { p.repeat_last_n = -2; }),
      with([](auto& p) { p.seed = -2; }),
      with([](auto& p) {
        p.logit_bias = {{10, 1.0f}};
      }),
  };
  for (const SamplingParams& params : bad) EXPECT_THROW(Sampler(params, 10), InvalidRequestError);
  EXPECT_THROW(Sampler(plain(), 10).sample(std::vector<float>(9)), InvalidRequestError);
}

TEST(PortableExp, AgreesWithTheLibrary) {
  for (double x = 0; x > -700; x -= 0.37) EXPECT_NEAR(portable_exp(x) / std::exp(x), 1.0, 2e-15) << x;
  EXPECT_EQ(portable_exp(0), 1.0);
  EXPECT_EQ(portable_exp(-std::numeric_limits<double>::infinity()), 0.0);
}

TEST(RandomUniform, IsUniformOverPositions) {
  double sum = 0, squares = 0;
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double u = random_uniform(1, 2, static_cast<std::uint64_t>(i));
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / n, 0.5, 0.004);
  EXPECT_NEAR(squares / n, 1.0 / 3, 0.004);
}

}  // namespace
}  // namespace minfer
