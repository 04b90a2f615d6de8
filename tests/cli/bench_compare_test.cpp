// minfer bench --compare.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/bench/baseline.h"
#include "cli/bench/comparison.h"
#include "cli/program.h"
#include "minfer/error.h"
#include "support/data.h"

namespace minfer::cli {
namespace {

using test::ProgramRun;
using test::run_program;

const std::string kModel = test::model_file("minfer-demo-q4_k_m.gguf").string();

Verdict verdict(const std::vector<double>& earlier, const std::vector<double>& later) {
  return compare_rates(earlier, later).verdict;
}

TEST(CompareRates, TellsTheRatioOfMediansAndItsExtremes) {
  const Comparison comparison = compare_rates({100, 50, 80}, {160, 200, 120});
  EXPECT_DOUBLE_EQ(comparison.ratio, 2);
  EXPECT_DOUBLE_EQ(comparison.lowest, 1.2);
  EXPECT_DOUBLE_EQ(comparison.highest, 4);
}

TEST(CompareRates, NeedsRangesThatAreApart) {
  EXPECT_EQ(verdict({100, 101, 102}, {103, 104, 105}), Verdict::kFaster);
  EXPECT_EQ(verdict({103, 104, 105}, {100, 101, 102}), Verdict::kSlower);
  EXPECT_EQ(verdict({100, 101, 104}, {103, 104, 105}), Verdict::kSame);
  EXPECT_EQ(verdict({100, 100, 100}, {100.9, 100.9, 100.9}), Verdict::kSame) << "below one percent";
}

TEST(CompareRates, IsNoisyWhereTheRangesAreWideAndMeet) {
  EXPECT_EQ(verdict({100, 101, 106}, {105, 107, 108}), Verdict::kNoisy);
  EXPECT_EQ(verdict({100, 120, 140}, {150, 160, 170}), Verdict::kFaster) << "wide, but apart";
  EXPECT_EQ(verdict({100, 100}, {200, 200}), Verdict::kNoisy) << "two runs say nothing";
}

nlohmann::json row_of(int n_threads, const std::vector<double>& rates) {
  return {{"model_type", "toy"}, {"model_size", 1000}, {"n_prompt", 0},      {"n_gen", 10},
          {"n_depth", 0},        {"n_batch", 2048},    {"n_ubatch", 512},    {"n_threads", n_threads},
          {"type_k", "f32"},     {"type_v", "f32"},    {"samples_ts", rates}};
}

BenchResult result_of(int n_threads) {
  BenchResult result;
  result.model.type = "toy";
  result.model.tensor_bytes = 1000;
  result.test = {0, 10, 0, 2048, 512, n_threads, "f32"};
  return result;
}

TEST(Baseline, PairsRowsOfTheSameModelTestAndSettings) {
  Baseline baseline = Baseline::parse(
      row_of(1, {5, 6}).dump() + "\n\n" + row_of(2, {9}).dump() + "\r\n" + row_of(1, {7}).dump(), "old");
  const std::vector<double>* rates = baseline.find(result_of(1));
  ASSERT_TRUE(rates);
  EXPECT_EQ(*rates, (std::vector<double>{5, 6, 7})) << "rows of one test are taken together";
  EXPECT_EQ(baseline.unmatched(),
            std::vector<std::string>{"toy, 1000 bytes, tg10, 2 threads, batch 2048 of 512, KV f32"});
  for (const auto change : std::vector<void (*)(BenchResult&)>{
           [](BenchResult& r) { r.model.type = "other"; }, [](BenchResult& r) { r.model.tensor_bytes = 1; },
           [](BenchResult& r) { r.test.n_prompt = 1; }, [](BenchResult& r) { r.test.n_gen = 1; },
           [](BenchResult& r) { r.test.n_depth = 1; }, [](BenchResult& r) { r.test.n_batch = 1; },
           [](BenchResult& r) { r.test.n_ubatch = 1; }, [](BenchResult& r) { r.test.n_threads = 3; },
           [](BenchResult& r) { r.test.kv_type = "q8_0"; }}) {
    BenchResult other = result_of(1);
    change(other);
    EXPECT_FALSE(baseline.find(other)) << bench_row_identity(other);
  }
}

TEST(Baseline, RefusesDamagedTextsNamingTheLine) {
  const std::string good = row_of(1, {5}).dump();
  std::vector<std::string> bad = {good.substr(0, good.size() - 1),
                                  "[]",
                                  "7",
                                  "{}",
                                  "\xff",
                                  std::string(1, '\0'),
                                  std::string(100'000, '['),
                                  row_of(1, {}).dump(),
                                  row_of(1, {0}).dump(),
                                  row_of(1, {-1}).dump(),
                                  row_of(-1, {1}).dump()};
  const nlohmann::json whole = row_of(1, {5});
  for (const auto& [key, value] : whole.items()) {
    if (key == "type_v") continue;  // keys and values are of one type
    nlohmann::json row = whole;
    row.erase(key);
    bad.push_back(row.dump());
    row[key] = nlohmann::json::object();
    bad.push_back(row.dump());
  }
  for (const std::string& line : bad) {
    try {
      Baseline::parse(good + "\n" + line + "\n" + good, "old");
      ADD_FAILURE() << "taken: " << line.substr(0, 200);
    } catch (const InvalidFileError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("old: line 2 ")) << error.what();
      EXPECT_LT(std::string(error.what()).size(), 300u);
    }
  }
  EXPECT_THROW(Baseline::parse("\n \n", "old"), InvalidFileError);
}

std::vector<std::string> bench_with(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"bench", "-m", kModel, "-p", "0", "-n", "2", "-r", "3", "-t", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(BenchCompare, AddsAColumnAndNamesWhatHasNoPartner) {
  const auto old = test::scratch_folder() / "old.jsonl";
  ASSERT_EQ(run_program({.arguments = bench_with({"-o", "jsonl", "-d", "0,5"}), .out_file = old}).status, 0);
  ProgramRun run = run_program({.arguments = bench_with({"--compare", old.string(), "-d", "0,9"})});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("against before"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("no such row"), std::string::npos) << run.out;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 2) << run.err;
  EXPECT_NE(run.err.find("has no row of"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("was not measured now"), std::string::npos) << run.err;

  run = run_program({.arguments = bench_with({"--compare", old.string(), "-o", "json", "-d", "0,9"})});
  const auto json = nlohmann::json::parse(run.out);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_GT(json[0].at("compare_ratio"), 0);
  EXPECT_TRUE(json[1].at("compare_verdict").is_null());
}

TEST(BenchCompare, RefusesADamagedFileBeforeItMeasures) {
  const auto old = test::scratch_folder() / "damaged.jsonl";
  std::ofstream(old) << "{\"avg_ts\": 5}\n";
  for (const std::string& file : {old.string(), std::string("nowhere.jsonl"), std::string("/dev/zero"),
                                  test::scratch_folder().string(), kModel}) {
    const ProgramRun run = run_program({.arguments = bench_with({"--compare", file})});
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_TRUE(run.err.starts_with("error: ")) << run.err;
  }
}

}  // namespace
}  // namespace minfer::cli
