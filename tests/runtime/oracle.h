// The oracle models: small random-weight files with what llama.cpp computes for them (tests/data/oracle, and more of
// them in the shared data).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "minfer/engine.h"

namespace minfer::test {

// What another engine computed, in one mode.
struct OracleAnswer {
  std::vector<float> logits;       // of the last prompt position
  std::vector<double> prompt_nll;  // of each prompt token but the first
  std::vector<TokenId> greedy;
  std::vector<double> gaps;  // between the best and the second logit at each greedy step
};

struct OracleModel {
  std::string name;
  std::filesystem::path file;
  bool is_float = false;        // weights are f32, f16 or bf16: activations stay float32
  OracleAnswer llama_cpp;       // mode f32kv: float32 KV cells, activations quantized where the weights are
  OracleAnswer exact;           // mode deq: the same weights dequantized, nearly exact arithmetic
  double half_cells_error = 0;  // llama.cpp with its default float16 KV cells: relative L2 against `exact`
};

struct Oracle {
  std::vector<TokenId> prompt;
  std::vector<OracleModel> models;
};

// Of the repository's fixtures, or of the shared data.
Oracle read_oracle(const std::filesystem::path& folder);
const Oracle& own_oracle();

// A story of the demo model by an independent float32 implementation.
struct DemoStory {
  std::string prompt;
  std::vector<TokenId> ids;  // of the prompt
  std::vector<TokenId> greedy;
};
std::vector<DemoStory> read_demo_golden(const std::filesystem::path& file);

// One evaluation by minfer: the prompt in one batch, then the tokens of `follow` one by one.
struct Evaluation {
  std::vector<float> logits;
  std::vector<double> prompt_nll;
  std::vector<TokenId> likeliest;  // before each token of follow
};
Evaluation evaluate(const OracleModel& model, const EngineOptions& options,
                    const std::vector<TokenId>& prompt, const std::vector<TokenId>& follow);

TokenId argmax(std::span<const float> logits);
double relative_l2(std::span<const float> values, std::span<const float> expected);
double mean_difference(std::span<const double> a, std::span<const double> b);

}  // namespace minfer::test
