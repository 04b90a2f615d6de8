// minfer eval: what a model computes for given token ids, as one JSON object: for tests against other engines and
// for proofs that results do not depend on threads, chunks, neighbours or pages.
#include "cli/eval.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/diagnostics.h"
#include "cli/interrupt.h"
#include "cli/likelihood.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "cli/token_list.h"
#include "minfer/error.h"

namespace minfer::cli {
namespace {

struct EvalOptions {
  ModelOptions model;
  std::string ids;
  std::string follow;
  std::string logits_file;
  int greedy = 0;
  int beside = 0;
  bool reuse = false;
};

struct Best {
  TokenId token = 0;
  double gap = 0;  // to the second best
};

Best best_of(std::span<const float> logits) {
  std::size_t first = 0;
  for (std::size_t i = 1; i < logits.size(); ++i)
    if (logits[i] > logits[first]) first = i;
  double second = -INFINITY;
  for (std::size_t i = 0; i < logits.size(); ++i)
    if (i != first && logits[i] > second) second = logits[i];
  return {static_cast<TokenId>(first), logits[first] - second};
}

class Eval {
 public:
  explicit Eval(const EvalOptions& options)
      : options_(options), model_(load_model(options.model)), prompt_(parse_token_list(options.ids)) {
    if (prompt_.empty()) throw UsageError("--ids names no token");
    ModelOptions engine = options.model;
    engine.engine.n_sequences = 1 + options.beside;
    engine_ = make_engine(model_, engine);
  }

  nlohmann::json execute() {
    if (options_.reuse) use_pages();
    sequence_ = engine_->create_sequence();
    for (int i = 0; i < options_.beside; ++i) others_.push_back(engine_->create_sequence());
    feed_prompt();
    describe_last_logits();
    if (!options_.follow.empty()) follow(parse_token_list(options_.follow));
    if (options_.greedy > 0) continue_greedily();
    report_diagnostics(*engine_);
    return std::move(result_);
  }

 private:
  // Fills pages with other contents and gives them back, so that what follows gets used ones.
  void use_pages() {
    const SequenceId junk = engine_->create_sequence();
    std::vector<BatchToken> batch;
    for (std::size_t i = 0; i < prompt_.size(); ++i) batch.push_back({junk, other_token(i, 99), false});
    engine_->decode(batch, stop_);
    engine_->free_sequence(junk);
  }

  // Token i of another sequence: any that is not the prompt's own.
  TokenId other_token(std::size_t i, int which) const {
    return static_cast<TokenId>((i * 31 + static_cast<std::size_t>(which) * 7 + 3) %
                                static_cast<std::size_t>(model_->info().n_vocab));
  }

  // One token of the sequence, and one of each other sequence around it.
  void add_to(std::vector<BatchToken>& batch, TokenId token) {
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (i == others_.size() / 2) batch.push_back({sequence_, token, true});
      batch.push_back({others_[i], other_token(n_fed_, static_cast<int>(i)), false});
    }
    if (others_.empty()) batch.push_back({sequence_, token, true});
    ++n_fed_;
  }

  void feed_prompt() {
    std::vector<BatchToken> batch;
    for (const TokenId token : prompt_) add_to(batch, token);
    engine_->decode(batch, stop_);
    std::vector<double> nll;
    for (std::size_t i = 0; i + 1 < prompt_.size(); ++i)
      nll.push_back(negative_log_likelihood(engine_->logits(static_cast<int>(i)), prompt_[i + 1]));
    result_["n_tokens"] = prompt_.size();
    result_["prompt_nll"] = nll;
  }

  std::span<const float> last_logits() const { return engine_->logits(engine_->n_logit_rows() - 1); }

  void describe_last_logits() {
    const std::span<const float> logits = last_logits();
    double sum = 0;
    double squares = 0;
    for (const float logit : logits) {
      sum += logit;
      squares += double{logit} * logit;
    }
    result_["n_vocab"] = logits.size();
    result_["argmax"] = best_of(logits).token;
    result_["sum"] = sum;
    result_["l2"] = std::sqrt(squares);
    result_["first16"] =
        std::vector<float>(logits.begin(), logits.begin() + std::min<std::ptrdiff_t>(16, std::ssize(logits)));
    if (!options_.logits_file.empty()) write_logits(logits);
  }

  void write_logits(std::span<const float> logits) const {
    std::ofstream file(options_.logits_file, std::ios::binary);
    file.write(reinterpret_cast<const char*>(logits.data()),
               static_cast<std::streamsize>(logits.size_bytes()));
    file.close();
    if (!file) throw Error(fmt::format("cannot write {}", options_.logits_file));
  }

  void feed(TokenId token) {
    std::vector<BatchToken> batch;
    add_to(batch, token);
    engine_->decode(batch, stop_);
  }

  void follow(const std::vector<TokenId>& tokens) {
    std::vector<TokenId> followed;
    std::vector<double> gaps;
    for (const TokenId token : tokens) {
      const Best best = best_of(last_logits());
      followed.push_back(best.token);
      gaps.push_back(best.gap);
      feed(token);
    }
    result_["followed"] = followed;
    result_["top1_minus_top2"] = gaps;
  }

  void continue_greedily() {
    std::vector<TokenId> greedy;
    std::vector<double> gaps;
    while (static_cast<int>(greedy.size()) < options_.greedy) {
      const Best best = best_of(last_logits());
      greedy.push_back(best.token);
      gaps.push_back(best.gap);
      if (static_cast<int>(greedy.size()) < options_.greedy) feed(best.token);
    }
    result_["greedy"] = greedy;
    result_["top1_minus_top2"] = gaps;
  }

  const EvalOptions& options_;
  const std::stop_token stop_ = interrupt_token();  // before the engine starts its threads
  std::shared_ptr<const Model> model_;
  std::vector<TokenId> prompt_;
  std::unique_ptr<Engine> engine_;
  SequenceId sequence_ = 0;
  std::vector<SequenceId> others_;
  std::size_t n_fed_ = 0;
  nlohmann::json result_;
};

}  // namespace

CommandBody declare_eval(CLI::App& parser) {
  auto options = std::make_shared<EvalOptions>();
  parser.add_option("MODEL", options->model.model, "GGUF file")->required();
  parser.add_option("--ids", options->ids, "Token ids of the prompt: 1,17,300")->required();
  auto* greedy =
      parser.add_option("--greedy", options->greedy, "Continue greedily for N tokens, end tokens included")
          ->check(CLI::Range(0, INT32_MAX));
  parser
      .add_option("--follow", options->follow,
                  "Feed these ids after the prompt; print the likeliest at each step")
      ->excludes(greedy);
  parser.add_option("--logits", options->logits_file, "Write the last prompt position's logits as float32");
  parser.add_option("--beside", options->beside, "Run N other sequences in the same batches")
      ->check(CLI::Range(0, 64));
  parser.add_flag("--reuse", options->reuse, "Take KV pages that other tokens were in before");
  add_context_option(parser, options->model);
  add_engine_options(parser, options->model);
  return [options] {
    write_output(Eval(*options).execute().dump() + "\n");
    return 0;
  };
}

}  // namespace minfer::cli
