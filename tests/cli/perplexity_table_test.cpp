// Perplexities of the whole held-out text, by file type, against llama.cpp's.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "support/data.h"

namespace minfer::test {
namespace {

double perplexity_of(const std::filesystem::path& model) {
  const ProgramRun run =
      run_program({.arguments = {"perplexity", "-m", model, "-f", shared_data("demo/held-out.txt"), "--json"},
                   .patience_seconds = 1800});
  return run.status == 0 ? nlohmann::json::parse(run.out).at("perplexity").get<double>() : NAN;
}

TEST(PerplexityTable, F16) {
  MINFER_NEED_SHARED();
  EXPECT_NEAR(perplexity_of(shared_data("demo/minfer-demo-f16.gguf")), 13.2268, 0.001 * 13.2268);
}

TEST(PerplexityTable, Q8_0AsQuantizedHere) {
  MINFER_NEED_SHARED();
  const auto model = scratch_folder() / "q8_0.gguf";
  const auto source = shared_data("demo/minfer-demo-f16.gguf").string();
  ASSERT_EQ(run_program({.arguments = {"quantize", source, model, "q8_0"}}).status, 0);
  EXPECT_NEAR(perplexity_of(model), 13.2295, 0.003 * 13.2295);
}

TEST(PerplexityTable, TheShippedQ4KM) {
  MINFER_NEED_SHARED();
  EXPECT_NEAR(perplexity_of(model_file("minfer-demo-q4_k_m.gguf")), 13.3257, 0.003 * 13.3257);
}

}  // namespace
}  // namespace minfer::test
