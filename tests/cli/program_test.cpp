// What scripts rely on: exit statuses, results on stdout and everything else on stderr, no hang, no half line lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "support/data.h"

namespace minfer::test {
namespace {

const std::string kModel = model_file("minfer-demo-q4_k_m.gguf").string();

ProgramRun run_with(std::vector<std::string> arguments) {
  return run_program({.arguments = std::move(arguments)});
}

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::filesystem::path scratch_file(const std::string& name, const std::string& contents) {
  const auto path = scratch_folder() / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

void expect_error_line(const ProgramRun& run, int status, const std::string& named) {
  EXPECT_EQ(run.status, status) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(count_lines(run.err), 1u) << run.err;
  EXPECT_TRUE(run.err.starts_with("error: ")) << run.err;
  EXPECT_NE(run.err.find(named), std::string::npos) << run.err;
}

TEST(Program, BadUsageIsStatus2) {
  expect_error_line(run_with({"run", "--no-such-flag"}), 2, "--no-such-flag");
  expect_error_line(run_with({"run", "-n", "many", "Hello"}), 2, "many");
  expect_error_line(run_with({"run", kModel}), 2, "prompt");
  expect_error_line(run_with({"run", "-c", "-1", "Hello"}), 2, "not in range 0 to 268435456");
  expect_error_line(run_with({"inspect"}), 2, "MODEL");
  expect_error_line(run_with({"bench", "-p", "0", "-n", "0"}), 2, "nothing to measure");
  expect_error_line(run_with({"bench", "-p", "1-"}), 2, "1-");
  expect_error_line(run_with({"tokenize", kModel}), 2, "no text");
  expect_error_line(run_with({"run", "--kv", "q3", "Hello"}), 2, "q3");
  expect_error_line(run_with({"run", "--logit-bias", "7:1", "Hello"}), 2, "7:1");
  expect_error_line(run_with({"eval", kModel, "--ids", "1,x"}), 2, "x");
  EXPECT_EQ(run_with(std::vector<std::string>{}).status, 2);
}

TEST(Program, AMissingModelIsStatus1InOneLineThatNamesIt) {
  for (const std::string command :
       {"run", "bench", "doctor", "perplexity", "eval", "inspect", "tokenize", "detokenize"}) {
    std::vector<std::string> arguments = {command};
    if (command == "run") arguments.insert(arguments.end(), {"-m", "nowhere.gguf", "Hello"});
    if (command == "bench") arguments.insert(arguments.end(), {"-m", "nowhere.gguf"});
    if (command == "perplexity") arguments.insert(arguments.end(), {"-m", "nowhere.gguf", "-f", kModel});
    if (command == "eval") arguments.insert(arguments.end(), {"nowhere.gguf", "--ids", "1"});
    if (command == "tokenize") arguments.insert(arguments.end(), {"nowhere.gguf", "Hello"});
    if (arguments.size() == 1) arguments.push_back("nowhere.gguf");
    SCOPED_TRACE(command);
    expect_error_line(run_with(arguments), 1, "nowhere.gguf");
  }
}

TEST(Program, AFileNameWithALineBreakStaysInOneLine) {
  expect_error_line(run_with({"inspect", "two\nlines.gguf"}), 1, "two\\nlines.gguf");
}

TEST(Program, TellsItsVersionAndLevers) {
  const ProgramRun version = run_with({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.out.starts_with("minfer ")) << version.out;
  EXPECT_EQ(version.err, "");
  const ProgramRun levers = run_with({"--levers"});
  EXPECT_EQ(levers.status, 0);
  EXPECT_NE(levers.out.find("MINFER_OP_TIMING"), std::string::npos);
  for (const std::string command :
       {"run", "bench", "doctor", "perplexity", "tokenize", "detokenize", "inspect", "eval"}) {
    const ProgramRun help = run_with({command, "--help"});
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_NE(help.out.find("Usage"), std::string::npos) << help.out;
  }
}

TEST(Program, RefusesAMalformedLever) {
  const ProgramRun run = run_program({.arguments = {"--version"}, .environment = {"MINFER_CACHE_TYPE=q3"}});
  expect_error_line(run, 1, "MINFER_CACHE_TYPE");
}

TEST(Program, RefusesAKernelNameThatNoOpHas) {
  const ProgramRun run =
      run_program({.arguments = {"run", "Hello", "-n", "1"}, .environment = {"MINFER_KERNEL=matmu"}});
  expect_error_line(run, 1, "matmu");
}

TEST(Run, PrintsTheTextAloneOnStdout) {
  const ProgramRun run = run_with({"run", kModel, "Once upon a time", "--temp", "0", "-n", "8"});
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(run.out.starts_with("Once upon a time, there was")) << run.out;
  EXPECT_EQ(run.err, "");
}

TEST(Run, OfNoTokensPrintsOnlyThePrompt) {
  const ProgramRun run = run_with({"run", kModel, "Once upon a time", "-n", "0"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, "Once upon a time\n");
}

TEST(Run, TakesPromptFilesAsPeopleHaveThem) {
  const std::string expected = run_with({"run", kModel, "Hi there", "--temp", "0", "-n", "6"}).out;
  const auto bom = scratch_file("bom.txt", "\xEF\xBB\xBFHi there");
  EXPECT_EQ(run_with({"run", "-m", kModel, "-f", bom, "--temp", "0", "-n", "6"}).out, expected);
  const auto odd = scratch_file("odd.txt", "one\r\ntwo \xFF\xFE\x80 three");
  const ProgramRun run = run_with({"run", "-m", kModel, "-f", odd, "--temp", "0", "-n", "4"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("one\r\ntwo ")) << run.out;
  const ProgramRun piped = run_program(
      {.arguments = {"run", "-m", kModel, "-f", "-", "--temp", "0", "-n", "6"}, .in = "Hi there"});
  EXPECT_EQ(piped.out, expected);
}

TEST(Run, FindsModelsAtAnyPath) {
  const auto folder = scratch_folder() / "dir \u00e9 \u540d";
  std::filesystem::create_directories(folder);
  const auto link = folder / "\u043cодel \u00fc.gguf";
  std::filesystem::create_symlink(kModel, link);
  const ProgramRun run = run_with({"run", link, "Hi", "--temp", "0", "-n", "1"});
  EXPECT_EQ(run.status, 0) << run.err;
}

TEST(Run, IsInterruptedOnceWithItsTextKept) {
  const ProgramRun run = run_program(
      {.arguments = {"run", kModel, "Once upon a time", "--temp", "0", "--ignore-eos", "-c", "100000"},
       .interrupt_after = 40});
  EXPECT_EQ(run.status, 130) << run.err;
  EXPECT_TRUE(run.out.starts_with("Once upon a time, there was")) << run.out;
  EXPECT_TRUE(run.out.ends_with("\n"));
}

TEST(Run, EndsWhenNobodyReadsItsOutput) {
  const ProgramRun run = run_program(
      {.arguments = {"run", kModel, "Once upon a time", "--temp", "0", "--ignore-eos", "-c", "100000"},
       .close_after = 10});
  EXPECT_EQ(run.status, 128 + 13) << run.err;  // SIGPIPE, as any filter
}

TEST(Program, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const std::vector<std::vector<std::string>> commands = {{"--version"},
                                                          {"--help"},
                                                          {"inspect", kModel},
                                                          {"run", kModel, "Hi", "-n", "1"},
                                                          {"tokenize", kModel, "Hi"}};
  for (const auto& arguments : commands) {
    const ProgramRun run = run_program({.arguments = arguments, .out_file = "/dev/full"});
    EXPECT_EQ(run.status, 1) << arguments[0];
    EXPECT_NE(run.err.find("cannot write"), std::string::npos) << run.err;
  }
}

TEST(Program, NeedsNobodyToReadItsMessages) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const auto status_of = [](std::vector<std::string> arguments) {
    return run_program({.arguments = std::move(arguments),
                        .environment = {"MINFER_TIMING=1", "MINFER_OP_TIMING=1", "MINFER_TRACE=1"},
                        .err_file = "/dev/full"})
        .status;
  };
  EXPECT_EQ(status_of({"run", kModel, "Hi", "-n", "2", "-c", "100000", "--show-settings"}), 0);
  EXPECT_EQ(status_of({"run", "nowhere.gguf", "Hi"}), 1);
  EXPECT_EQ(status_of({"run", "--no-such-flag"}), 2);
}

// A file that is opened first would get the number of a closed stream, and messages and results written into it.
TEST(Program, WritesNoMessageIntoFilesWhenItsStreamsAreClosed) {
  const std::string nano = test_data("oracle/nano-qwen3-q8_0.gguf").string();
  const auto usual = scratch_folder() / "usual.gguf";
  ASSERT_EQ(run_with({"quantize", nano, usual, "q4_0"}).status, 0);
  const auto closed = scratch_folder() / "closed.gguf";
  run_program({.arguments = {"quantize", nano, closed, "q4_0"}, .close_streams = true});
  EXPECT_TRUE(read_bytes(usual) == read_bytes(closed));
}

TEST(Program, EscapesWhatAFileHoldsInItsMessages) {
  std::string bytes = read_text(test_data("oracle/nano-qwen3-q8_0.gguf"));
  const std::size_t tensor = bytes.find("output_norm.weight");
  bytes.replace(tensor, 4, "\x1b[2J");
  const auto model = scratch_file("escape.gguf", bytes);
  expect_error_line(run_with({"run", model, "Hi"}), 1, "escape.gguf");
  EXPECT_EQ(run_with({"run", model, "Hi"}).err.find('\x1b'), std::string::npos);
}

ProgramRun run_with_lever(const std::string& lever) {
  ProgramRun run = run_program(
      {.arguments = {"run", kModel, "Once upon a time", "--temp", "0", "-n", "3"}, .environment = {lever}});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(count_lines(run.out), 1u) << run.out;  // whatever a lever prints goes to stderr
  return run;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Levers, TimingTellsEachPhase) {
  const ProgramRun run = run_with_lever("MINFER_TIMING=1");
  for (const char* phase : {"load: ", "prompt: 4 tokens in ", "generation: 3 tokens in "})
    EXPECT_EQ(count(run.err, phase), 1u) << run.err;
}

TEST(Levers, OpTimingTellsEachKernelOnce) {
  const ProgramRun run = run_with_lever("MINFER_OP_TIMING=1");
  EXPECT_TRUE(run.err.starts_with("op and kernel")) << run.err;
  EXPECT_NE(run.err.find("GB/s"), std::string::npos);
  EXPECT_EQ(count(run.err, "\nRmsNorm "), 1u) << run.err;
}

TEST(Levers, TraceTellsEachNodeEachTime) {
  const ProgramRun run = run_with_lever("MINFER_TRACE=1");
  EXPECT_EQ(count(run.err, "run blk.3.attn "), 3u) << run.err;  // the prompt and two steps
}

TEST(Levers, GraphTraceTellsEachGraphOnce) {
  const ProgramRun run = run_with_lever("MINFER_GRAPH_TRACE=1");
  EXPECT_EQ(count(run.err, "graph of 4 tokens"), 1u) << run.err;
  EXPECT_EQ(count(run.err, "graph of 1 tokens"), 1u) << run.err;
  EXPECT_NE(run.err.find("<cpu: "), std::string::npos) << run.err;
}

TEST(Levers, GraphDumpWritesAFile) {
  const auto text = scratch_folder() / "graph.txt";
  run_with_lever("MINFER_GRAPH_DUMP=" + text.string());
  EXPECT_NE(read_text(text).find("output.weight"), std::string::npos);
  const auto dot = scratch_folder() / "graph.dot";
  run_with_lever("MINFER_GRAPH_DUMP=" + dot.string());
  EXPECT_TRUE(read_text(dot).starts_with("digraph minfer {"));
}

TEST(Tokenize, AndDetokenizeAreInverseThroughPipes) {
  const ProgramRun ids =
      run_program({.arguments = {"tokenize", kModel, "--json"}, .in = R"(["Once upon a time","é"])"});
  EXPECT_EQ(ids.status, 0) << ids.err;
  const ProgramRun texts = run_program({.arguments = {"detokenize", kModel}, .in = ids.out});
  EXPECT_EQ(texts.out, "[\"Once upon a time\",\"é\"]\n");
  EXPECT_EQ(run_program({.arguments = {"detokenize", kModel}, .in = "no JSON"}).status, 1);
}

TEST(Inspect, PrintsJson) {
  const ProgramRun run = run_with({"inspect", kModel, "--json"});
  EXPECT_EQ(run.status, 0);
  EXPECT_FALSE(nlohmann::json::parse(run.out).at("tensors").empty());
}

}  // namespace
}  // namespace minfer::test
