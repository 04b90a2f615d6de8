// Runs one test of minfer bench: nothing but the engine's work is timed, neither tokenizing nor sampling.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "cli/bench/options.h"
#include "minfer/engine.h"

namespace minfer::cli {

class BenchRunner {
 public:
  BenchRunner(const std::shared_ptr<const Model>& model, const BenchTest& test, std::uint64_t seed,
              std::stop_token stop);

  // Fills the context to the test's depth and, for the warm-up, runs the prompt and one generated token.
  void prepare(bool warm_up);
  // One measured run, in nanoseconds.
  std::int64_t measure();
  Engine& engine() { return engine_; }

 private:
  void feed(std::span<const TokenId> tokens);
  void generate(std::span<const TokenId> tokens);

  BenchTest test_;
  std::stop_token stop_;
  Engine engine_;
  std::vector<TokenId> depth_tokens_, prompt_tokens_, generated_tokens_;
  SequenceId sequence_ = 0;
};

}  // namespace minfer::cli
