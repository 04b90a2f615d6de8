// Batches of every size from 1 to 130, whose last rows, tiles and pages are cut at every possible place.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "minfer/engine.h"
#include "support/data.h"

namespace minfer::test {
namespace {

constexpr int kMaxTokens = 130;  // two pages and two tokens

TokenId token_at(int i) { return (i * 37 + 11) % 500; }

std::vector<float> logits_of_batch(Engine& engine, int n_tokens) {
  const SequenceId sequence = engine.create_sequence();
  std::vector<BatchToken> batch;
  for (int i = 0; i < n_tokens; ++i) batch.push_back({sequence, token_at(i), true});
  engine.decode(batch);
  std::vector<float> rows;
  for (int i = 0; i < n_tokens; ++i)
    rows.insert(rows.end(), engine.logits(i).begin(), engine.logits(i).end());
  engine.free_sequence(sequence);
  return rows;
}

std::unique_ptr<Engine> engine_on(const std::shared_ptr<const Model>& model, const std::string& backend) {
  EngineOptions options;
  options.n_ctx = 256;
  options.n_threads = 2;
  options.backend = backend;
  return std::make_unique<Engine>(model, options);
}

double root_of_squares(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += double{value} * value;
  return std::sqrt(sum);
}

// The distance of two vectors relative to the second one's length.
double relative_distance(std::span<const float> a, std::span<const float> b) {
  std::vector<float> difference(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] = a[i] - b[i];
  return root_of_squares(difference) / root_of_squares(b);
}

struct Case {
  const char* file;
  double tolerance;  // what the rounding of activations to 8 bits costs where weights are quantized
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.file; }

class BatchSize : public testing::TestWithParam<Case> {};

TEST_P(BatchSize, DoesNotMatterAndAgreesWithTheReference) {
  const auto model = Model::load(test_data(std::string("oracle/") + GetParam().file).string());
  const std::vector<float> reference = logits_of_batch(*engine_on(model, "reference"), kMaxTokens);
  const auto cpu = engine_on(model, "cpu");
  const std::vector<float> longest = logits_of_batch(*cpu, kMaxTokens);
  EXPECT_LT(relative_distance(longest, reference), GetParam().tolerance);
  for (int n = 1; n < kMaxTokens; ++n) {
    const std::vector<float> rows = logits_of_batch(*cpu, n);
    ASSERT_EQ(std::memcmp(rows.data(), longest.data(), rows.size() * sizeof(float)), 0) << n << " tokens";
  }
}

INSTANTIATE_TEST_SUITE_P(Models, BatchSize,
                         testing::Values(Case{"nano-llama-f32.gguf", 1e-5}, Case{"nano-qwen3-f32.gguf", 1e-5},
                                         Case{"nano-qwen2-f16.gguf", 1e-5},
                                         Case{"nano-llama-q8_0.gguf", 0.05},
                                         Case{"nano-qwen2-q4_0.gguf", 0.05},
                                         Case{"nano-qwen2-q5_1.gguf", 0.05},
                                         Case{"nano-qwen3-iq4_nl.gguf", 0.05}));

}  // namespace
}  // namespace minfer::test
