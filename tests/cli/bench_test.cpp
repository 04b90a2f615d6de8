#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/bench/number_list.h"
#include "cli/bench/options.h"
#include "cli/bench/result.h"
#include "cli/bench/statistics.h"
#include "cli/command.h"
#include "cli/program.h"
#include "support/data.h"

namespace minfer::cli {
namespace {

using test::ProgramRun;
using test::run_program;

const std::string kModel = test::model_file("minfer-demo-q4_k_m.gguf").string();

std::vector<int> list(const std::string& text) { return parse_number_list(text, 0, 1000); }

TEST(NumberList, TakesListsAndRanges) {
  EXPECT_EQ(list("512"), (std::vector{512}));
  EXPECT_EQ(list("4,8,16"), (std::vector{4, 8, 16}));
  EXPECT_EQ(list("1-4"), (std::vector{1, 2, 3, 4}));
  EXPECT_EQ(list("1-8+3"), (std::vector{1, 4, 7}));
  EXPECT_EQ(list("1-64*2"), (std::vector{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(list("0,3-3,5-9+2"), (std::vector{0, 3, 5, 7, 9}));
}

TEST(NumberList, RefusesWhatIsNone) {
  for (const std::string text : {"", ",", "1,", "a", "-1", "1-", "4-1", "1-4+", "1-4+0", "1-4*1", "0-4*2",
                                 "1-4/2", "1-4+1x", "99999999999999999999", "1001", "1-1001"})
    EXPECT_THROW(list(text), UsageError) << text;
}

TEST(BenchTests, AreLlamaBenchsByDefault) {
  const std::vector<BenchTest> tests = bench_tests(parse_bench_flags({}));
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_EQ(tests[0].name(), "pp512");
  EXPECT_EQ(tests[1].name(), "tg128");
  EXPECT_EQ(tests[0].n_batch, 2048);
  EXPECT_EQ(tests[0].n_ubatch, 0) << "the engine's own";
  EXPECT_EQ(BenchOptions().repetitions, 5);
}

TEST(BenchTests, AreEveryCombination) {
  BenchFlags flags;
  flags.n_prompt = {"0"};
  flags.n_gen = {"16,32"};
  flags.prompt_and_gen = {"64,8"};
  flags.n_depth = {"0", "4096"};
  flags.n_threads = {"1-2"};
  std::string names;
  for (const BenchTest& test : bench_tests(parse_bench_flags(flags)))
    names += std::to_string(test.n_threads) + " " + test.name() + "\n";
  EXPECT_EQ(names,
            "1 tg16\n1 tg32\n1 pp64+tg8\n1 tg16 @ d4096\n1 tg32 @ d4096\n1 pp64+tg8 @ d4096\n"
            "2 tg16\n2 tg32\n2 pp64+tg8\n2 tg16 @ d4096\n2 tg32 @ d4096\n2 pp64+tg8 @ d4096\n");
}

TEST(BenchTests, TypesOfKeysAndValuesAreOne) {
  BenchFlags flags;
  flags.type_k = {"q8_0"};
  EXPECT_EQ(parse_bench_flags(flags).kv_types, (std::vector<std::string>{"q8_0"}));
  flags.type_v = {"f32"};
  EXPECT_THROW(parse_bench_flags(flags), UsageError);
  flags.type_v = {};
  flags.type_kv = {"f32"};
  EXPECT_THROW(parse_bench_flags(flags), UsageError);
  flags.type_k = {};
  flags.type_kv = {"f32,q8_0", "f16"};
  EXPECT_EQ(parse_bench_flags(flags).kv_types, (std::vector<std::string>{"f32", "q8_0", "f16"}));
}

TEST(BenchStatistics, AreMeanSampleDeviationAndMedian) {
  const std::vector<double> values = {2, 4, 4, 4, 5, 5, 7, 9};
  EXPECT_DOUBLE_EQ(mean(values), 5);
  EXPECT_DOUBLE_EQ(sample_deviation(values), std::sqrt(32.0 / 7));
  EXPECT_DOUBLE_EQ(median(values), 4.5);
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(sample_deviation({7}), 0);
  EXPECT_DOUBLE_EQ(spread(values), 7 / 4.5);
  EXPECT_EQ(spread({7}), 0);
}

BenchResult result_of(std::vector<std::int64_t> samples_ns) {
  BenchResult result;
  result.test.n_gen = 10;
  result.samples_ns = std::move(samples_ns);
  return result;
}

TEST(BenchResult, AveragesRatesNotTimes) {
  EXPECT_DOUBLE_EQ(mean(result_of({1'000'000'000, 500'000'000}).rates()),
                   15);  // 10 and 20, not 20 tokens in 1.5 s
}

TEST(BenchResult, IsNoisyAboveFivePercentOfSpread) {
  EXPECT_FALSE(result_of({1000, 1010, 1045}).noisy());
  EXPECT_TRUE(result_of({1000, 1010, 1055}).noisy());
  EXPECT_FALSE(result_of({1000}).noisy());
}

TEST(BenchResult, ComparesWithTheCeilingThatCounts) {
  BenchResult result = result_of({1'000'000'000});  // 10 tokens/s
  EXPECT_FALSE(result.share());
  result.ceilings = Ceilings{100, 1000, "", 0, ""};
  result.model.decode_bytes = 4;
  result.model.layer_macs = 7;
  EXPECT_DOUBLE_EQ(result.share()->used / result.share()->ceiling, 0.4);
  result.test = BenchTest();
  result.test.n_prompt = 10;
  EXPECT_DOUBLE_EQ(result.share()->used / result.share()->ceiling, 0.14);
  result.test.n_gen = 10;
  EXPECT_FALSE(result.share());
}

TEST(BenchResult, CountsTheCellsThatATokenReads) {
  BenchResult result = result_of({1'000'000'000});
  result.model.decode_bytes = 1000;
  result.kv_bytes_per_position = 2;
  EXPECT_DOUBLE_EQ(result.bytes_per_generated_token(), 1000 + 2 * 5.5);  // 1, 2 … 10 positions
  result.test.n_depth = 100;
  EXPECT_DOUBLE_EQ(result.bytes_per_generated_token(), 1000 + 2 * 105.5);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Bench, PrintsLlamaBenchsTable) {
  const ProgramRun run = run_program(
      {.arguments = {"bench", "-m", kModel, "-p", "16", "-n", "4", "-r", "2", "-t", "1", "-ub", "8"}});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const auto lines = lines_of(run.out);
  ASSERT_GE(lines.size(), 6u) << run.out;
  EXPECT_EQ(lines[0],
            "| model                          |       size |     params | backend    | threads | n_ubatch |"
            "            test |                  t/s |   median |       spread |");
  EXPECT_EQ(lines[1],
            "| ------------------------------ | ---------: | ---------: | ---------- | ------: | -------: |"
            " --------------: | -------------------: | -------: | -----------: |");
  EXPECT_TRUE(
      lines[2].starts_with("| qwen3 17.83 M Q4_K - Medium    |  10.46 MiB |    17.83 M | CPU        |"
                           "       1 |        8 |            pp16 |"))
      << lines[2];
  EXPECT_NE(lines[3].find("|             tg4 |"), std::string::npos) << lines[3];
  EXPECT_NE(lines[3].find(" ± "), std::string::npos) << lines[3];
  EXPECT_NE(lines[3].find(" % "), std::string::npos) << lines[3];
  EXPECT_TRUE(lines[5].starts_with("build: ")) << run.out;
}

TEST(Bench, PrintsJsonLinesWithLlamaBenchsKeys) {
  const ProgramRun run =
      run_program({.arguments = {"bench", "-m", kModel, "-p", "8", "-n", "2", "-r", "3", "-o", "jsonl", "-d",
                                 "70", "-ctk", "q8_0", "--ceilings"}});
  EXPECT_EQ(run.status, 0) << run.err;
  const auto lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 2u) << run.out;
  const auto json = nlohmann::json::parse(lines[1]);
  for (const char* key : {"build_commit",
                          "cpu_info",
                          "model_filename",
                          "model_type",
                          "model_size",
                          "model_n_params",
                          "n_batch",
                          "n_ubatch",
                          "n_threads",
                          "test_time",
                          "stddev_ns",
                          "stddev_ts",
                          "median_ts",
                          "spread",
                          "noisy",
                          "ceiling_read_gb_s",
                          "ceiling_int8_gop_s",
                          "ceiling_fma_gflop_s",
                          "read_gb_s",
                          "ceiling_share"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json.at("n_prompt"), 0);
  EXPECT_EQ(json.at("n_gen"), 2);
  EXPECT_EQ(json.at("n_depth"), 70);
  EXPECT_EQ(json.at("type_k"), "q8_0");
  EXPECT_EQ(json.at("type_v"), "q8_0");
  const auto rates = json.at("samples_ts").get<std::vector<double>>();
  const auto times = json.at("samples_ns").get<std::vector<double>>();
  ASSERT_EQ(rates.size(), 3u);
  double sum = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    EXPECT_NEAR(rates[i], 2e9 / times[i], 1e-6 * rates[i]);
    sum += rates[i];
  }
  EXPECT_NEAR(json.at("avg_ts").get<double>(), sum / 3, 1e-6 * sum);
}

TEST(Bench, PrintsOneJsonArray) {
  const ProgramRun run = run_program(
      {.arguments = {"bench", "-m", kModel, "-p", "8", "-n", "2", "-r", "2", "-o", "json", "--ceilings"}});
  EXPECT_EQ(run.status, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0].at("samples_ns").size(), 2u);
  EXPECT_TRUE(json[0].at("read_gb_s").is_null()) << "a prompt is no matter of bandwidth";
  EXPECT_GT(json[0].at("int8_gop_s"), 0);
  EXPECT_GT(json[1].at("read_gb_s"), 0);
}

// The cells of a line of CSV in which every value is quoted.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < line.size(); i += 1) {
    EXPECT_EQ(line[i], '"') << line;
    std::string cell;
    for (++i; line[i] != '"' || line.substr(i, 2) == "\"\""; ++i) {
      if (line[i] == '"') ++i;
      cell += line[i];
    }
    cells.push_back(cell);
    ++i;  // the comma
  }
  return cells;
}

TEST(Bench, PrintsCsvWithOneValueForEachTitle) {
  const auto folder = test::scratch_folder() / "a \"quoted\", folder";
  std::filesystem::create_directories(folder);
  const std::string model = (folder / "model.gguf").string();
  std::filesystem::create_symlink(kModel, model);
  const ProgramRun run = run_program(
      {.arguments = {"bench", "-m", model, "-p", "8", "-n", "2", "-r", "2", "-o", "csv", "--ceilings"}});
  EXPECT_EQ(run.status, 0) << run.err;
  const auto lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 3u) << run.out;
  std::vector<std::string> titles;
  std::istringstream stream(lines[0]);
  for (std::string title; std::getline(stream, title, ',');) titles.push_back(title);
  for (const std::size_t i : {1u, 2u}) ASSERT_EQ(cells_of(lines[i]).size(), titles.size()) << run.out;
  const auto at = std::find(titles.begin(), titles.end(), "model_filename") - titles.begin();
  EXPECT_EQ(cells_of(lines[1])[static_cast<std::size_t>(at)], model);
}

TEST(Bench, OfOneRunHasNoDeviation) {
  const ProgramRun run =
      run_program({.arguments = {"bench", "-m", kModel, "-p", "0", "-n", "2", "-r", "1", "-o", "jsonl"}});
  EXPECT_EQ(nlohmann::json::parse(run.out).at("stddev_ts"), 0.0);
}

TEST(Bench, GoesOnWithTheNextModel) {
  const ProgramRun run = run_program({.arguments = {"bench", "-m", "nowhere.gguf", "-m", kModel, "-p", "4",
                                                    "-n", "0", "-r", "1", "-o", "jsonl"}});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(lines_of(run.out).size(), 1u) << run.out;
  EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
}

TEST(Bench, InterruptedLeavesValidJson) {
  const ProgramRun run =
      run_program({.arguments = {"bench", "-m", kModel, "-p", "4", "-n", "100000", "-r", "1", "-o", "jsonl"},
                   .interrupt_after = 10});
  EXPECT_EQ(run.status, 130) << run.err;
  const auto lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 1u) << run.out;
  EXPECT_EQ(nlohmann::json::parse(lines[0]).at("n_prompt"), 4);
}

TEST(Bench, InterruptedClosesTheArray) {
  const ProgramRun run =
      run_program({.arguments = {"bench", "-m", kModel, "-p", "4", "-n", "100000", "-r", "1", "-o", "json"},
                   .interrupt_after = 10});
  EXPECT_EQ(run.status, 130) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out).size(), 1u);
}

}  // namespace
}  // namespace minfer::cli
