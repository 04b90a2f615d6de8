#include "runtime/oracle.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/data.h"

namespace minfer::test {
namespace {

OracleAnswer read_answer(const nlohmann::json& json, const std::filesystem::path& folder) {
  return {read_floats(folder / "logits" / json.at("logits").get<std::string>()), json.at("prompt_nll"),
          json.at("greedy"), json.at("top1_minus_top2")};
}

double negative_log_likelihood(std::span<const float> logits, TokenId token) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit - highest);
  return highest + std::log(sum) - logits[static_cast<std::size_t>(token)];
}

}  // namespace

Oracle read_oracle(const std::filesystem::path& folder) {
  const auto index = nlohmann::json::parse(read_text(folder / "index.json"));
  Oracle oracle{index.at("prompt"), {}};
  for (const auto& [name, json] : index.at("models").items()) {
    const bool is_float = name.ends_with("-f32") || name.ends_with("f16");
    // F32 files have no separate exact answer: theirs is.
    const bool has_exact = json.contains("deq") && json.at("deq").contains("logits");
    const OracleAnswer llama_cpp = read_answer(json.at("f32kv"), folder);
    oracle.models.push_back({name, folder / json.at("file").get<std::string>(), is_float, llama_cpp,
                             has_exact ? read_answer(json.at("deq"), folder) : llama_cpp,
                             json.at("vs_deq").at("default").at("rel_l2")});
  }
  return oracle;
}

std::vector<DemoStory> read_demo_golden(const std::filesystem::path& file) {
  std::vector<DemoStory> stories;
  for (const auto& json : nlohmann::json::parse(read_text(file)))
    stories.push_back({json.at("prompt"), json.at("ids"), json.at("greedy")});
  return stories;
}

const Oracle& own_oracle() {
  static const Oracle oracle = read_oracle(test_data("oracle"));
  return oracle;
}

Evaluation evaluate(const OracleModel& model, const EngineOptions& options,
                    const std::vector<TokenId>& prompt, const std::vector<TokenId>& follow) {
  Engine engine(Model::load(model.file.string()), options);
  const SequenceId sequence = engine.create_sequence();
  std::vector<BatchToken> batch;
  for (const TokenId token : prompt) batch.push_back({sequence, token, true});
  engine.decode(batch);

  Evaluation result;
  for (std::size_t i = 0; i + 1 < prompt.size(); ++i)
    result.prompt_nll.push_back(negative_log_likelihood(engine.logits(static_cast<int>(i)), prompt[i + 1]));
  const auto last = engine.logits(engine.n_logit_rows() - 1);
  result.logits.assign(last.begin(), last.end());
  result.likeliest.push_back(argmax(last));
  for (const TokenId token : follow) {
    const BatchToken next{sequence, token, true};
    engine.decode({&next, 1});
    result.likeliest.push_back(argmax(engine.logits(0)));
  }
  if (!follow.empty()) result.likeliest.pop_back();
  return result;
}

TokenId argmax(std::span<const float> logits) {
  return static_cast<TokenId>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

double relative_l2(std::span<const float> values, std::span<const float> expected) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += std::pow(double{values[i]} - expected[i], 2);
    norm += std::pow(double{expected[i]}, 2);
  }
  return std::sqrt(difference / norm);
}

double mean_difference(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

}  // namespace minfer::test
