// What minfer bench is asked to measure: llama-bench's flags and defaults, expanded to a list of tests.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace minfer::cli {

struct BenchOptions {
  std::vector<std::string> models;
  std::vector<int> n_prompt = {512};
  std::vector<int> n_gen = {128};
  std::vector<std::pair<int, int>> prompt_and_gen;  // tests of both in one
  std::vector<int> n_depth = {0};
  std::vector<int> n_batch = {2048};
  std::vector<int> n_ubatch = {0};  // 0: the engine's own
  std::vector<int> n_threads;
  std::vector<std::string> kv_types;  // "": the engine's own
  int repetitions = 5;
  std::uint64_t seed = 0;
  bool warm_up = true;
  bool ceilings = false;
  std::string format = "md";  // or "jsonl", "json", "csv"
  std::string backend;        // as EngineOptions says, and gpu too
  int gpu = -1;
  std::string compare;  // file of an earlier run's JSON lines; empty: none
};

// The flags as given, before lists are parsed.
struct BenchFlags {
  std::vector<std::string> models, n_prompt, n_gen, prompt_and_gen, n_depth, n_batch, n_ubatch, n_threads,
      type_k, type_v, type_kv;
  BenchOptions plain;  // those that need no parsing
};

void add_bench_flags(CLI::App& parser, BenchFlags& flags);
// Throws UsageError for a list that is none, and where nothing is left to measure.
BenchOptions parse_bench_flags(const BenchFlags& flags);

// One line of the result. The model is not part of it: tests() are run for each.
struct BenchTest {
  int n_prompt = 0;
  int n_gen = 0;
  int n_depth = 0;  // tokens in the context before, not counted
  int n_batch = 0;
  int n_ubatch = 0;  // as in BenchOptions; the engine's once there is one, and kv_type likewise
  int n_threads = 0;
  std::string kv_type;
  std::string backend = {};
  int gpu = -1;

  std::string name() const;  // "pp512", "tg128", "pp512+tg128", with " @ d4096" for a depth
};
std::vector<BenchTest> bench_tests(const BenchOptions& options);

}  // namespace minfer::cli
