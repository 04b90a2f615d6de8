// What a run may take: the pages of the model file, the KV pages in use, the activations of one micro-batch, and
// 20 MB for everything else.
#include <gtest/gtest.h>

#include "cli/program.h"
#include "support/data.h"

namespace minfer::test {
namespace {

constexpr std::size_t kMegabyte = 1 << 20;
constexpr std::size_t kSlack = 20 * kMegabyte;

// Of the demo model: 6 layers, 2 KV heads of 64, hidden size 512, 8 heads, feed-forward 1280.
constexpr std::size_t kKvBytesPerPosition = 6 * 2 * (2 * 64) * sizeof(float);
constexpr std::size_t kValuesPerToken = 4 * 512 + (8 + 2 * 2) * 64 + 512 + 2 * 1280;

std::string words(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += " time";
  return text;
}

std::size_t peak_of(const std::string& prompt, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {
      "run", "-m", model_file("minfer-demo-q4_k_m.gguf").string(), "-f", "-", "-n", "2", "-t", "2"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProgramRun run = run_program({.arguments = arguments, .in = prompt});
  EXPECT_EQ(run.status, 0) << run.err;
  return run.peak_memory_bytes;
}

std::size_t file_bytes() { return std::filesystem::file_size(model_file("minfer-demo-q4_k_m.gguf")); }

TEST(Memory, ARunTakesItsFileItsPagesAndOneMicroBatch) {
  const std::size_t kv = 1024 * kKvBytesPerPosition;
  const std::size_t activations = 512 * kValuesPerToken * sizeof(float);
  EXPECT_LE(peak_of(words(700), {"-c", "1024"}), file_bytes() + kv + activations + kSlack);
}

// A large context costs nothing until it is used.
TEST(Memory, UnusedContextTakesNone) {
  const std::size_t unused = 200000 * kKvBytesPerPosition;
  ASSERT_GT(unused, 1000 * kMegabyte);
  EXPECT_LE(peak_of("Once", {"-c", "200000", "--ubatch", "32"}), file_bytes() + kSlack);
}

TEST(Memory, SmallMicroBatchesBoundTheActivations) {
  const std::size_t kv = 1024 * kKvBytesPerPosition;
  EXPECT_LE(peak_of(words(700), {"-c", "1024", "--ubatch", "16"}),
            file_bytes() + kv + 16 * kValuesPerToken * sizeof(float) + kSlack);
}

}  // namespace
}  // namespace minfer::test
