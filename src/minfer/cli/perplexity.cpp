// minfer perplexity: how well a model predicts a text. The convention is that of llama.cpp's tool, so that numbers
// compare (https://github.com/ggml-org/llama.cpp/tree/master/tools/perplexity): chunks of n_ctx tokens that do not
// overlap, each computed on its own, with BOS in place of its first token where the model adds one; the first half
// of a chunk is context, and of the second half every token but the first is scored.
#include "cli/perplexity.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/thread_pool.h"
#include "cli/diagnostics.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/likelihood.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "minfer/error.h"
#include "tokenizer/tokenizer.h"

namespace minfer::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct PerplexityOptions {
  ModelOptions model;
  std::string file;
  int n_chunks = -1;
  bool json = false;
};

// Mean and standard error of the scored tokens' negative log-likelihoods, as perplexities.
class Estimate {
 public:
  void add(double nll) {
    sum_ += nll;
    squares_ += nll * nll;
    ++n_;
  }
  int n() const { return n_; }
  double perplexity() const { return std::exp(sum_ / n_); }
  double error() const {
    const double mean = sum_ / n_;
    const double variance = squares_ / n_ - mean * mean;
    return n_ > 1 && variance > 0 ? perplexity() * std::sqrt(variance / (n_ - 1)) : 0;
  }

 private:
  double sum_ = 0;
  double squares_ = 0;
  int n_ = 0;
};

class Perplexity {
 public:
  explicit Perplexity(const PerplexityOptions& options)
      : options_(options),
        model_(load_model(options.model)),
        engine_(make_engine(model_, options.model)),
        pool_(engine_->options().n_threads),
        n_ctx_(static_cast<std::size_t>(engine_->options().n_ctx)),
        first_scored_(n_ctx_ / 2) {
    tokens_ = read_tokens();
    n_chunks_ = tokens_.size() / n_ctx_;
    if (options.n_chunks >= 0) n_chunks_ = std::min(n_chunks_, static_cast<std::size_t>(options.n_chunks));
  }

  void execute() {
    try {
      score_all();
    } catch (const CancelledError&) {
      show_progress("");
      if (!options_.json) write_output("\n");  // the list so far stays
      throw;
    }
    show_progress("");
    write_output(options_.json ? json() : text());
    report_diagnostics(*engine_);
  }

 private:
  std::vector<TokenId> read_tokens() const {
    std::string text = read_text_file(options_.file);
    if (text.ends_with('\n')) text.pop_back();  // as llama.cpp reads a prompt file
    std::vector<TokenId> tokens = model_->tokenize(text, true, false);
    if (tokens.size() < 2 * n_ctx_)
      throw InvalidRequestError(
          fmt::format("{} has {} tokens, but at least {} are needed, two contexts of {} (-c sets it)",
                      options_.file, tokens.size(), 2 * n_ctx_, n_ctx_));
    return tokens;
  }

  void score_all() {
    for (std::size_t chunk = 0; chunk < n_chunks_; ++chunk) {
      show_state(chunk);
      score_chunk(chunk);
      running_.push_back(estimate_.perplexity());
      if (!options_.json) write_output(fmt::format("[{}]{:.4f},", chunk + 1, running_.back()));
    }
  }

  // On the terminal, where it does not get into the way of the running list.
  void show_state(std::size_t chunk) const {
    if (chunk == 0 || (!options_.json && stdout_is_terminal())) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const double left = seconds / static_cast<double>(chunk) * static_cast<double>(n_chunks_ - chunk);
    show_progress(fmt::format("chunk {} of {}, {:.0f} s left", chunk, n_chunks_, left));
  }

  void score_chunk(std::size_t chunk) {
    std::vector<TokenId> tokens(tokens_.begin() + static_cast<std::ptrdiff_t>(chunk * n_ctx_),
                                tokens_.begin() + static_cast<std::ptrdiff_t>((chunk + 1) * n_ctx_));
    if (model_->tokenizer().add_bos()) tokens[0] = *model_->tokenizer().bos();
    sequence_ = engine_->create_sequence();
    const auto step = static_cast<std::size_t>(engine_->options().n_ubatch);
    for (std::size_t begin = 0; begin < n_ctx_; begin += step)
      score_batch(tokens, begin, std::min(begin + step, n_ctx_));
    engine_->free_sequence(sequence_);
  }

  // Positions [begin, end) of a chunk. Only those whose successor is scored need logits.
  void score_batch(const std::vector<TokenId>& tokens, std::size_t begin, std::size_t end) {
    std::vector<BatchToken> batch;
    std::vector<TokenId> next;
    for (std::size_t i = begin; i < end; ++i) {
      const bool scored = i >= first_scored_ && i + 1 < n_ctx_;
      batch.push_back({sequence_, tokens[i], scored});
      if (scored) next.push_back(tokens[i + 1]);
    }
    engine_->decode(batch, stop_);
    std::vector<double> nll(next.size());
    pool_.run([&](int worker, int n_workers) {
      const Range range = split_range(std::ssize(next), worker, n_workers);
      for (auto i = static_cast<std::size_t>(range.begin); i < static_cast<std::size_t>(range.end); ++i)
        nll[i] = negative_log_likelihood(engine_->logits(static_cast<int>(i)), next[i]);
    });
    for (const double value : nll) estimate_.add(value);
  }

  std::string text() const {
    return fmt::format("\nFinal estimate: PPL = {:.4f} +/- {:.5f}\n", estimate_.perplexity(),
                       estimate_.error());
  }

  std::string json() const {
    const nlohmann::ordered_json result = {{"model_filename", model_->info().path},
                                           {"model_type", model_->info().type},
                                           {"n_ctx", n_ctx_},
                                           {"n_chunks", n_chunks_},
                                           {"n_scored", estimate_.n()},
                                           {"perplexity", estimate_.perplexity()},
                                           {"error", estimate_.error()},
                                           {"running", running_}};
    return result.dump() + "\n";
  }

  const PerplexityOptions& options_;
  const std::stop_token stop_ = interrupt_token();  // before the engine starts its threads
  std::shared_ptr<const Model> model_;
  std::unique_ptr<Engine> engine_;
  ThreadPool pool_;
  const std::size_t n_ctx_;
  const std::size_t first_scored_;
  std::vector<TokenId> tokens_;
  std::size_t n_chunks_ = 0;
  SequenceId sequence_ = 0;
  Estimate estimate_;
  std::vector<double> running_;
  const Clock::time_point start_ = Clock::now();
};

}  // namespace

CommandBody declare_perplexity(CLI::App& parser) {
  auto options = std::make_shared<PerplexityOptions>();
  options->model.engine.n_ctx = 512;
  add_model_option(parser, options->model.model);
  parser.add_option("-f,--file", options->file, "The text; - is standard input")->required();
  parser.add_option("-c,--ctx-size", options->model.engine.n_ctx, "Tokens of a chunk")
      ->check(CLI::Range(4, 1 << 28))
      ->capture_default_str();
  parser.add_option("--chunks", options->n_chunks, "Score this many chunks at most")
      ->check(CLI::Range(1, INT32_MAX));
  parser.add_flag("--json", options->json, "Print one JSON object at the end");
  add_engine_options(parser, options->model);
  return [options] {
    Perplexity(*options).execute();
    return 0;
  };
}

}  // namespace minfer::cli
