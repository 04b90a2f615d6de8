#include "cli/bench/runner.h"

#include <chrono>
#include <random>

#include "cli/model_options.h"
#include "tokenizer/tokenizer.h"

namespace minfer::cli {
namespace {

EngineOptions engine_options(const BenchTest& test) {
  EngineOptions options;
  options.n_ctx = test.n_depth + test.n_prompt + test.n_gen;
  options.n_ubatch = test.n_ubatch;
  options.n_threads = test.n_threads;
  if (!test.kv_type.empty()) options.kv_cell = parse_kv_type(test.kv_type);
  options.backend = test.backend;
  options.gpu = test.gpu;
  return options;
}

// mt19937_64 itself is the same everywhere; its distributions are not.
std::vector<TokenId> random_tokens(int n, std::mt19937_64& random, int n_vocab) {
  std::vector<TokenId> tokens;
  for (int i = 0; i < n; ++i)
    tokens.push_back(static_cast<TokenId>(random() % static_cast<std::uint64_t>(n_vocab)));
  return tokens;
}

}  // namespace

BenchRunner::BenchRunner(const std::shared_ptr<const Model>& model, const BenchTest& test, std::uint64_t seed,
                         std::stop_token stop)
    : test_(test), stop_(std::move(stop)), engine_(model, engine_options(test)) {
  std::mt19937_64 random(seed);
  const int n_vocab = model->info().n_vocab;
  depth_tokens_ = random_tokens(test.n_depth, random, n_vocab);
  prompt_tokens_ = random_tokens(test.n_prompt, random, n_vocab);
  generated_tokens_ = random_tokens(test.n_gen, random, n_vocab);
  for (auto* tokens : {&depth_tokens_, &prompt_tokens_, &generated_tokens_}) {
    if (tokens->empty()) continue;
    if (model->tokenizer().add_bos()) tokens->front() = *model->tokenizer().bos();
    break;
  }
  sequence_ = engine_.create_sequence();
}

void BenchRunner::prepare(bool warm_up) {
  feed(depth_tokens_);
  if (!warm_up) return;
  feed(prompt_tokens_);
  if (test_.n_gen > 0) generate(std::span(generated_tokens_).first(1));
  engine_.truncate(sequence_, test_.n_depth);
}

std::int64_t BenchRunner::measure() {
  const auto start = std::chrono::steady_clock::now();
  feed(prompt_tokens_);
  generate(generated_tokens_);
  const auto elapsed = std::chrono::steady_clock::now() - start;
  engine_.truncate(sequence_, test_.n_depth);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count();
}

// As a user's prompt would be, with logits after the last token of each batch.
void BenchRunner::feed(std::span<const TokenId> tokens) {
  const auto step = static_cast<std::size_t>(test_.n_batch);
  std::vector<BatchToken> batch;
  for (std::size_t first = 0; first < tokens.size(); first += step) {
    batch.clear();
    for (const TokenId token : tokens.subspan(first, std::min(step, tokens.size() - first)))
      batch.push_back({sequence_, token, false});
    batch.back().logits = true;
    engine_.decode(batch, stop_);
  }
}

void BenchRunner::generate(std::span<const TokenId> tokens) {
  for (const TokenId token : tokens) {
    const BatchToken next{sequence_, token, true};
    engine_.decode({&next, 1}, stop_);
  }
}

}  // namespace minfer::cli
