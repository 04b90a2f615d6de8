// Whole models against llama.cpp. Float files have to agree almost exactly. In quantized ones the activations are
// rounded to 8 bits, so no engine is exact: the error must not be larger than llama.cpp's own, against the same
// weights in nearly exact arithmetic; and where llama.cpp is sure of a token, minfer chooses the same.
#include "runtime/oracle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/data.h"

namespace minfer::test {
namespace {

constexpr double kFloatError = 1e-5;  // relative L2 of the logits
constexpr double kWorstRatio = 1.5;   // of minfer's error to llama.cpp's, in any one model
constexpr double kMeanRatio = 1.08;   // in the geometric mean over models
constexpr double kCertainGap = 0.3;   // between best and second logit

void expect_float_model_agrees(const Oracle& oracle, const OracleModel& model) {
  const Evaluation ours = evaluate(model, {}, oracle.prompt, model.exact.greedy);
  EXPECT_LE(relative_l2(ours.logits, model.exact.logits), kFloatError) << model.name;
  EXPECT_EQ(ours.likeliest, model.exact.greedy) << model.name;
}

// Ratios of minfer's error to llama.cpp's.
struct Ratios {
  double logits = 0;
  double nll = 0;
};

Ratios quantized_model(const Oracle& oracle, const OracleModel& model) {
  const Evaluation ours = evaluate(model, {}, oracle.prompt, model.llama_cpp.greedy);
  for (std::size_t i = 0; i < model.llama_cpp.greedy.size(); ++i) {
    if (model.llama_cpp.gaps[i] < kCertainGap) continue;
    EXPECT_EQ(ours.likeliest[i], model.llama_cpp.greedy[i]) << model.name << ", step " << i;
  }
  const Ratios ratios{
      relative_l2(ours.logits, model.exact.logits) / relative_l2(model.llama_cpp.logits, model.exact.logits),
      mean_difference(ours.prompt_nll, model.exact.prompt_nll) /
          mean_difference(model.llama_cpp.prompt_nll, model.exact.prompt_nll)};
  EXPECT_LE(ratios.logits, kWorstRatio) << model.name;
  EXPECT_LE(ratios.nll, kWorstRatio) << model.name;
  return ratios;
}

void expect_all_agree(const Oracle& oracle) {
  double log_logits = 0;
  double log_nll = 0;
  int n_quantized = 0;
  for (const OracleModel& model : oracle.models) {
    if (model.is_float) {
      expect_float_model_agrees(oracle, model);
      continue;
    }
    const Ratios ratios = quantized_model(oracle, model);
    log_logits += std::log(ratios.logits);
    log_nll += std::log(ratios.nll);
    ++n_quantized;
  }
  ASSERT_GT(n_quantized, 0);
  EXPECT_LE(std::exp(log_logits / n_quantized), kMeanRatio);
  EXPECT_LE(std::exp(log_nll / n_quantized), kMeanRatio);
}

// Rounding keys and values to float16 may cost what it costs llama.cpp, whose default it is.
void expect_half_cells_agree(const Oracle& oracle) {
  EngineOptions options;
  options.kv_cell = KvCellType::kF16;
  double log_ratios = 0;
  for (const OracleModel& model : oracle.models) {
    const Evaluation ours = evaluate(model, options, oracle.prompt, {});
    const double ratio = relative_l2(ours.logits, model.exact.logits) / model.half_cells_error;
    EXPECT_LE(ratio, kWorstRatio) << model.name;
    log_ratios += std::log(ratio);
  }
  EXPECT_LE(std::exp(log_ratios / static_cast<double>(oracle.models.size())), kMeanRatio);
}

TEST(Oracle, HalfCellsAreAsGoodAsLlamaCpps) { expect_half_cells_agree(own_oracle()); }

TEST(Oracle, HalfCellsAreAsGoodAsLlamaCppsInEveryTypeAndArchitecture) {
  MINFER_NEED_SHARED();
  expect_half_cells_agree(read_oracle(shared_data("oracle")));
}

TEST(Oracle, NanoModelsAgreeWithLlamaCpp) { expect_all_agree(own_oracle()); }

TEST(Oracle, EveryTypeAndArchitectureAgreesWithLlamaCpp) {
  MINFER_NEED_SHARED();
  const Oracle oracle = read_oracle(shared_data("oracle"));
  EXPECT_EQ(oracle.models.size(), 39u);
  expect_all_agree(oracle);
}

// Greedy tokens of the demo model in f16 from an independent float32 implementation.
TEST(Oracle, DemoModelWritesTheGoldenStories) {
  MINFER_NEED_SHARED();
  const auto golden = read_demo_golden(test_data("demo/hf_golden.json"));
  ASSERT_EQ(golden.size(), 5u);
  const auto model = Model::load(shared_data("demo/minfer-demo-f16.gguf").string());
  for (const DemoStory& story : golden) {
    EXPECT_EQ(model->tokenize(story.prompt, true, true), story.ids) << story.prompt;
    OracleModel demo;
    demo.file = shared_data("demo/minfer-demo-f16.gguf");
    const Evaluation ours = evaluate(demo, {}, story.ids, story.greedy);
    EXPECT_EQ(ours.likeliest, story.greedy) << story.prompt;
  }
}

}  // namespace
}  // namespace minfer::test
