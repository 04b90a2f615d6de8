#include "cli/bench/options.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "base/cpu_count.h"
#include "base/levers.h"
#include "cli/bench/number_list.h"
#include "cli/command.h"

namespace minfer::cli {
namespace {

constexpr int kMaxTokens = 1 << 24;
constexpr int kMaxThreads = 1024;
constexpr int kMaxUbatch = 1 << 16;

void replace_numbers(std::vector<int>& numbers, const std::vector<std::string>& given, int min, int max) {
  if (given.empty()) return;
  numbers.clear();
  for (const std::string& list : given)
    for (const int number : parse_number_list(list, min, max)) numbers.push_back(number);
}

std::vector<std::string> split_words(const std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (const std::string& list : lists)
    for (const std::string& word : CLI::detail::split(list, ',')) words.push_back(word);
  return words;
}

// Keys and values have one type here; naming one of the two is enough.
std::vector<std::string> kv_types(const BenchFlags& flags) {
  const std::vector<std::string> k = split_words(flags.type_k);
  const std::vector<std::string> v = split_words(flags.type_v);
  const std::vector<std::string> both = split_words(flags.type_kv);
  if (!both.empty() && !(k.empty() && v.empty()))
    throw UsageError(
        "--kv names the type of keys and values; --cache-type-k and --cache-type-v do not go with it");
  if (!both.empty()) return both;
  if (!k.empty() && !v.empty() && k != v)
    throw UsageError("--cache-type-k and --cache-type-v differ, but keys and values are of one type");
  if (!k.empty() || !v.empty()) return k.empty() ? v : k;
  return {levers().cache_type};
}

std::pair<int, int> parse_pair(const std::string& text) {
  const std::vector<int> numbers = parse_number_list(text, 1, kMaxTokens);
  if (numbers.size() != 2) throw UsageError(fmt::format("\"{}\" is not PROMPT,GENERATED", text));
  return {numbers[0], numbers[1]};
}

}  // namespace

void add_bench_flags(CLI::App& parser, BenchFlags& flags) {
  const auto list = [&](const char* names, std::vector<std::string>& target, const char* meaning) {
    parser.add_option(names, target, meaning)->allow_extra_args(false);  // may be repeated
  };
  list("-m,--model", flags.models, "GGUF file, may be repeated (default: the small demo model)");
  list("-p,--n-prompt", flags.n_prompt, "Prompt lengths to measure, 0 for none (default 512)");
  list("-n,--n-gen", flags.n_gen, "Numbers of generated tokens to measure, 0 for none (default 128)");
  list("--pg", flags.prompt_and_gen, "PROMPT,GENERATED: measure both in one, may be repeated");
  list("-d,--n-depth", flags.n_depth, "Tokens that are in the context before (default 0)");
  list("-b,--batch-size", flags.n_batch, "Prompt tokens handed over at once (default 2048)");
  list("--ub,--ubatch-size", flags.n_ubatch, "Prompt tokens computed together (default 512, on a GPU 2048)");
  list("-t,--threads", flags.n_threads, "Threads (default: the cores this process may use)");
  list("--ctk,--cache-type-k", flags.type_k,
       "Types of KV cells: f32, f16, q8_0 (default: f32; f16 for larger models on a GPU)");
  list("--ctv,--cache-type-v", flags.type_v, "The same; must be equal");
  list("--kv,--cache-type", flags.type_kv, "Both at once, as the other commands name it");
  parser.add_option("-r,--repetitions", flags.plain.repetitions, "Measured runs of each test")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  parser.add_option("-o,--output", flags.plain.format, "md, jsonl, json or csv")
      ->check(CLI::IsMember({"md", "jsonl", "json", "csv"}))
      ->capture_default_str();
  parser.add_option("--seed", flags.plain.seed, "Of the random tokens")->capture_default_str();
  parser.add_flag("!--no-warmup", flags.plain.warm_up, "Measure without a run before");
  parser.add_flag(
      "--ceilings", flags.plain.ceilings,
      "Measure the machine's read bandwidth and arithmetic peaks before each test, and the share reached");
  parser.add_option("--backend", flags.plain.backend, "Measure this backend alone: cpu or cuda");
  parser.add_option("--gpu", flags.plain.gpu, "Number of the GPU to measure")->check(CLI::Range(0, 255));
  parser.add_option("--compare", flags.plain.compare,
                    "JSON lines of an earlier run (-o jsonl): print the ratio of each row and a verdict");
  parser.footer("Lists: 1,2,4 and ranges 1-8, 1-8+2, 1-64*2; every combination is measured.");
}

BenchOptions parse_bench_flags(const BenchFlags& flags) {
  BenchOptions options = flags.plain;
  options.models = flags.models.empty() ? std::vector<std::string>{""} : flags.models;
  options.n_threads = {count_cpus().default_threads()};
  options.kv_types = kv_types(flags);
  replace_numbers(options.n_prompt, flags.n_prompt, 0, kMaxTokens);
  replace_numbers(options.n_gen, flags.n_gen, 0, kMaxTokens);
  replace_numbers(options.n_depth, flags.n_depth, 0, kMaxTokens);
  replace_numbers(options.n_batch, flags.n_batch, 1, kMaxTokens);
  replace_numbers(options.n_ubatch, flags.n_ubatch, 1, kMaxUbatch);
  replace_numbers(options.n_threads, flags.n_threads, 1, kMaxThreads);
  for (const std::string& pair : flags.prompt_and_gen) options.prompt_and_gen.push_back(parse_pair(pair));
  if (bench_tests(options).empty())
    throw UsageError("nothing to measure: neither prompt nor generated tokens");
  return options;
}

std::string BenchTest::name() const {
  std::string text = n_prompt > 0 ? fmt::format("pp{}", n_prompt) : "";
  if (n_gen > 0) text += fmt::format("{}tg{}", text.empty() ? "" : "+", n_gen);
  return n_depth > 0 ? text + fmt::format(" @ d{}", n_depth) : text;
}

std::vector<BenchTest> bench_tests(const BenchOptions& options) {
  std::vector<std::pair<int, int>> lengths;
  for (const int n : options.n_prompt) lengths.emplace_back(n, 0);
  for (const int n : options.n_gen) lengths.emplace_back(0, n);
  lengths.insert(lengths.end(), options.prompt_and_gen.begin(), options.prompt_and_gen.end());
  std::erase(lengths, std::pair(0, 0));

  std::vector<BenchTest> tests;
  for (const int n_batch : options.n_batch)
    for (const int n_ubatch : options.n_ubatch)
      for (const std::string& kv_type : options.kv_types)
        for (const int n_threads : options.n_threads)
          for (const int n_depth : options.n_depth)
            for (const auto& [n_prompt, n_gen] : lengths)
              tests.push_back({n_prompt, n_gen, n_depth, n_batch, n_ubatch, n_threads, kv_type});
  for (BenchTest& test : tests) {
    test.backend = options.backend;
    test.gpu = options.gpu;
  }
  return tests;
}

}  // namespace minfer::cli
