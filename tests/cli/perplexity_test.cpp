#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/program.h"
#include "support/data.h"

namespace minfer::test {
namespace {

const std::string kModel = model_file("minfer-demo-q4_k_m.gguf").string();

// llama.cpp's running values for the first chunks (tests/data/perplexity/README.md).
constexpr double kLlamaRunning[] = {14.0750, 9.2465, 12.8319, 15.2225};
constexpr double kLlamaError = 1.28159;

std::vector<std::string> arguments(std::vector<std::string> more) {
  std::vector<std::string> all = {"perplexity", "-m", kModel, "-f",
                                  test_data("perplexity/stories.txt").string()};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(Perplexity, AgreesWithLlamaCppChunkByChunk) {
  const ProgramRun run = run_program({.arguments = arguments({"--chunks", "4", "--json"})});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  const auto running = json.at("running").get<std::vector<double>>();
  ASSERT_EQ(running.size(), std::size(kLlamaRunning));
  for (std::size_t i = 0; i < running.size(); ++i)
    EXPECT_NEAR(running[i], kLlamaRunning[i], 0.005 * kLlamaRunning[i]) << "chunk " << i + 1;
  EXPECT_EQ(json.at("perplexity"), running.back());
  EXPECT_NEAR(json.at("error").get<double>(), kLlamaError, 0.01 * kLlamaError);
  EXPECT_EQ(json.at("n_scored"), 4 * 255);
}

TEST(Perplexity, PrintsARunningListAndAFinalLineOnStdout) {
  const ProgramRun run = run_program({.arguments = arguments({"--chunks", "2", "-c", "128"})});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  const std::regex expected(
      "\\[1\\][0-9]+\\.[0-9]{4},\\[2\\][0-9]+\\.[0-9]{4},\nFinal estimate: PPL = [0-9]+\\.[0-9]{4} \\+/- "
      "[0-9]+\\.[0-9]{5}\n");
  EXPECT_TRUE(std::regex_match(run.out, expected)) << run.out;
}

TEST(Perplexity, DependsNeitherOnThreadsNorOnMicroBatches) {
  const auto with = [](std::vector<std::string> more) {
    more.insert(more.end(), {"--chunks", "2", "-c", "128"});
    return run_program({.arguments = arguments(more)}).out;
  };
  const std::string expected = with({"-t", "1"});
  EXPECT_EQ(with({"-t", "3"}), expected);
  EXPECT_EQ(with({"--ubatch", "50"}), expected);
}

TEST(Perplexity, InterruptedKeepsTheListSoFar) {
  const ProgramRun run = run_program({.arguments = arguments({"-c", "64"}), .interrupt_after = 10});
  EXPECT_EQ(run.status, 130) << run.err;
  EXPECT_TRUE(run.out.starts_with("[1]")) << run.out;
  EXPECT_TRUE(run.out.ends_with(",\n")) << run.out;
}

TEST(Perplexity, OfTooLittleTextIsAnError) {
  const auto path = scratch_folder() / "short.txt";
  std::ofstream(path) << "Too short.";
  const ProgramRun run = run_program({.arguments = {"perplexity", "-m", kModel, "-f", path}});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find("1024 are needed"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace minfer::test
