// minfer run: continues a prompt.
#include "cli/run.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>

#include "base/levers.h"
#include "base/printable.h"
#include "cli/diagnostics.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "cli/sampling_options.h"
#include "minfer/error.h"
#include "tokenizer/stream_decoder.h"
#include "tokenizer/tokenizer.h"

namespace minfer::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct RunOptions {
  ModelOptions model;
  SamplingOptions sampling;
  std::vector<std::string> positional;  // [MODEL.gguf] [PROMPT]
  std::optional<std::string> prompt;    // may be "": a model with BOS starts from that
  std::string prompt_file;
  int n_predict = -1;
  bool ignore_eos = false;
  bool no_echo = false;
  bool special = false;
  bool show_settings = false;
};

// Sorts out "MODEL PROMPT", "PROMPT" and "MODEL.gguf -p PROMPT".
void take_positional(RunOptions& options) {
  std::vector<std::string> rest = options.positional;
  const bool model_first = rest.size() == 2 || (rest.size() == 1 && rest[0].ends_with(".gguf"));
  if (model_first && options.model.model.empty()) {
    options.model.model = rest.front();
    rest.erase(rest.begin());
  }
  if (rest.empty()) return;
  if (rest.size() > 1 || options.prompt)
    throw UsageError(fmt::format("unexpected argument \"{}\"", rest.back()));
  options.prompt = rest.front();
}

std::string read_prompt(const RunOptions& options) {
  if (options.prompt.has_value() != options.prompt_file.empty())
    throw UsageError(options.prompt ? "a prompt and a prompt file are given" : "no prompt");
  return options.prompt ? *options.prompt : read_text_file(options.prompt_file);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One generation: the state that its steps share.
class Run {
 public:
  explicit Run(const RunOptions& options)
      : options_(options),
        model_(load_model(options.model)),
        engine_(make_engine(model_, options.model)),
        sampler_(sampling_params(options.sampling), model_->info().n_vocab),
        decoder_(model_->tokenizer()),
        load_seconds_(seconds_since(start_)) {}

  int execute(const std::string& prompt) {
    std::vector<TokenId> tokens = model_->tokenize(prompt, true, options_.special);
    if (tokens.empty())
      throw InvalidRequestError("the prompt is empty, and this model has no BOS token to start from");
    const int n_ctx = engine_->options().n_ctx;
    if (static_cast<int>(tokens.size()) >= n_ctx)
      throw InvalidRequestError(
          fmt::format("the prompt has {} tokens, and the context {} (-c raises it)", tokens.size(), n_ctx));
    if (options_.show_settings)
      print_diagnostics(fmt::format("model: {}\ndevice: {}\nsampling: {}\n", one_line(model_->info().type),
                                    engine_->description(), sampler_.description()));
    if (!options_.no_echo) write_output(prompt);
    sequence_ = engine_->create_sequence();
    sampler_.accept(tokens);
    feed_prompt(tokens);
    generate();
    report(static_cast<int>(tokens.size()));
    return interrupted_ ? kExitInterrupted : 0;
  }

 private:
  void feed_prompt(const std::vector<TokenId>& tokens) {
    const auto start = Clock::now();
    const auto chunk = static_cast<std::size_t>(engine_->options().n_ubatch);
    for (std::size_t first = 0; first < tokens.size(); first += chunk) {
      if (tokens.size() > chunk) show_progress(fmt::format("prompt: {} of {} tokens", first, tokens.size()));
      std::vector<BatchToken> batch;
      for (std::size_t i = first; i < std::min(first + chunk, tokens.size()); ++i)
        batch.push_back({sequence_, tokens[i], i + 1 == tokens.size()});
      engine_->decode(batch, stop_);
    }
    if (tokens.size() > chunk) show_progress("");
    prompt_seconds_ = seconds_since(start);
  }

  // Stops at the end of the answer, the limit, the end of the context, or Ctrl-C.
  void generate() {
    const auto start = Clock::now();
    const int room = engine_->options().n_ctx - engine_->length(sequence_);
    const int limit = options_.n_predict < 0 ? room : std::min(options_.n_predict, room);
    try {
      while (n_generated_ < limit) {
        const TokenId token = sampler_.sample(engine_->logits(0));
        if (!options_.ignore_eos && model_->tokenizer().is_end_of_generation(token)) break;
        ++n_generated_;
        if (token < model_->tokenizer().vocab_size())
          write_output(decoder_.push(token));  // else a padding row
        if (n_generated_ == limit) break;
        const BatchToken next{sequence_, token, true};
        engine_->decode({&next, 1}, stop_);
      }
    } catch (const CancelledError&) {
      interrupted_ = true;
    }
    write_output(decoder_.flush() + "\n");
    if (n_generated_ == room && options_.n_predict != room)
      print_note(fmt::format("stopped at the end of the context ({} positions; -c raises it)",
                             engine_->options().n_ctx));
    generate_seconds_ = seconds_since(start);
  }

  void report(int n_prompt) {
    if (levers().timing)
      print_diagnostics(
          fmt::format("load: {:.3f} s\nprompt: {} tokens in {:.3f} s, {:.2f} tokens/s\n"
                      "generation: {} tokens in {:.3f} s, {:.2f} tokens/s\n",
                      load_seconds_, n_prompt, prompt_seconds_, n_prompt / prompt_seconds_, n_generated_,
                      generate_seconds_, n_generated_ / generate_seconds_));
    report_diagnostics(*engine_);
  }

  const Clock::time_point start_ = Clock::now();
  const RunOptions& options_;
  const std::stop_token stop_ = interrupt_token();  // before the engine starts its threads
  std::shared_ptr<const Model> model_;
  std::unique_ptr<Engine> engine_;
  Sampler sampler_;
  StreamDecoder decoder_;
  const double load_seconds_;
  SequenceId sequence_ = 0;
  int n_generated_ = 0;
  bool interrupted_ = false;
  double prompt_seconds_ = 0;
  double generate_seconds_ = 0;
};

}  // namespace

CommandBody declare_run(CLI::App& parser) {
  auto options = std::make_shared<RunOptions>();
  add_model_option(parser, options->model.model);
  parser.add_option("arguments", options->positional, "[MODEL.gguf] PROMPT");
  parser.add_option("-p,--prompt", options->prompt, "Text to continue");
  parser.add_option("-f,--file", options->prompt_file, "Read the prompt from this file; - is standard input");
  parser
      .add_option("-n,--predict", options->n_predict,
                  "Tokens to generate at most; -1: until the end of the answer or context")
      ->check(CLI::Range(-1, INT32_MAX))
      ->capture_default_str();
  parser.add_flag("--ignore-eos", options->ignore_eos, "Go on after tokens that end an answer");
  parser.add_flag("--no-echo", options->no_echo, "Print only what is generated");
  parser.add_flag("--special", options->special,
                  "Read control tokens such as <|im_start|> in the prompt as such");
  parser.add_flag("--show-settings", options->show_settings,
                  "Print model, device and effective sampling to stderr");
  add_context_option(parser, options->model);
  add_engine_options(parser, options->model);
  add_sampling_options(parser, options->sampling);
  return [options] {
    take_positional(*options);
    const std::string prompt = read_prompt(*options);
    return Run(*options).execute(prompt);
  };
}

}  // namespace minfer::cli
