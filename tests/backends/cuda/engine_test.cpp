// Whole models on the GPU: against llama.cpp's and exact answers, with and without replay and fusion, several engines.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <thread>

#include "cli/program.h"
#include "gpu.h"
#include "minfer/error.h"
#include "runtime/oracle.h"
#include "support/data.h"

namespace minfer::test {
namespace {

constexpr double kFloatError = 1e-5;  // relative L2 of the logits
constexpr double kHalfError = 5e-3;   // the same where prefill multiplies float16, weights and activations
constexpr double kWorstRatio = 1.5;   // of minfer's error to llama.cpp's, in any one model
constexpr double kMeanRatio = 1.08;   // in the geometric mean over models
constexpr double kCertainGap = 0.3;   // between best and second logit

EngineOptions on_gpu(KvCellType cell = KvCellType::kF32) {
  EngineOptions options;
  options.backend = "cuda";
  options.kv_cell = cell;
  return options;
}

class CudaEngine : public testing::Test {
 protected:
  void SetUp() override { MINFER_NEED_GPU(); }
};

void expect_certain_tokens(const std::vector<TokenId>& ours, const OracleAnswer& answer) {
  for (std::size_t i = 0; i < answer.greedy.size(); ++i) {
    if (answer.gaps[i] < kCertainGap) continue;
    EXPECT_EQ(ours[i], answer.greedy[i]) << "step " << i;
  }
}

// In steps of 8 tokens activations stay float32, whatever the weights are; more of them are rounded to float16 where
// the weights have no more than that.
void expect_float_model_agrees(const Oracle& oracle, const OracleModel& model) {
  EngineOptions small_steps = on_gpu();
  small_steps.n_ubatch = 8;
  const Evaluation exact = evaluate(model, small_steps, oracle.prompt, model.exact.greedy);
  EXPECT_LE(relative_l2(exact.logits, model.exact.logits), kFloatError);
  EXPECT_EQ(exact.likeliest, model.exact.greedy);
  const Evaluation ours = evaluate(model, on_gpu(), oracle.prompt, model.exact.greedy);
  EXPECT_LE(relative_l2(ours.logits, model.exact.logits),
            model.name.ends_with("f32") ? kFloatError : kHalfError);
  expect_certain_tokens(ours.likeliest, model.exact);
}

double log_ratio_of_quantized(const Oracle& oracle, const OracleModel& model) {
  const Evaluation ours = evaluate(model, on_gpu(), oracle.prompt, model.llama_cpp.greedy);
  expect_certain_tokens(ours.likeliest, model.llama_cpp);
  const double ratio =
      relative_l2(ours.logits, model.exact.logits) / relative_l2(model.llama_cpp.logits, model.exact.logits);
  EXPECT_LE(ratio, kWorstRatio) << model.name;
  EXPECT_LE(mean_difference(ours.prompt_nll, model.exact.prompt_nll) /
                mean_difference(model.llama_cpp.prompt_nll, model.exact.prompt_nll),
            kWorstRatio)
      << model.name;
  return std::log(ratio);
}

void expect_all_agree(const Oracle& oracle) {
  double log_ratios = 0;
  int n_quantized = 0;
  for (const OracleModel& model : oracle.models) {
    SCOPED_TRACE(model.name);
    if (model.is_float) {
      expect_float_model_agrees(oracle, model);
    } else {
      log_ratios += log_ratio_of_quantized(oracle, model);
      ++n_quantized;
    }
  }
  ASSERT_GT(n_quantized, 0);
  EXPECT_LE(std::exp(log_ratios / n_quantized), kMeanRatio);
}

TEST_F(CudaEngine, NanoModelsAgreeWithLlamaCpp) { expect_all_agree(own_oracle()); }

TEST_F(CudaEngine, EveryTypeAndArchitectureAgreesWithLlamaCpp) {
  MINFER_NEED_SHARED();
  expect_all_agree(read_oracle(shared_data("oracle")));
}

std::vector<float> logits_of(Engine& engine, SequenceId sequence, const std::vector<TokenId>& tokens,
                             std::size_t chunk) {
  std::vector<float> last;
  for (std::size_t first = 0; first < tokens.size(); first += chunk) {
    std::vector<BatchToken> batch;
    for (std::size_t i = first; i < std::min(first + chunk, tokens.size()); ++i)
      batch.push_back({sequence, tokens[i], true});
    engine.decode(batch);
    const auto logits = engine.logits(engine.n_logit_rows() - 1);
    last.assign(logits.begin(), logits.end());
  }
  return last;
}

std::vector<TokenId> some_tokens(int n, int seed) {
  std::vector<TokenId> tokens;
  for (int i = 0; i < n; ++i) tokens.push_back((i * 37 + seed * 101 + 11) % 500);
  return tokens;
}

std::shared_ptr<const Model> demo_model() {
  return Model::load(model_file("minfer-demo-q4_k_m.gguf").string());
}

// Chunks of other sizes take other kernels and pad other rows; the text is the same.
TEST_F(CudaEngine, ChunksAndCellTypesChangeLittle) {
  const auto model = demo_model();
  const auto tokens = some_tokens(300, 1);
  EngineOptions cpu;
  cpu.backend = "cpu";
  Engine reference(model, cpu);
  const auto expected = logits_of(reference, reference.create_sequence(), tokens, 300);
  for (const KvCellType cell : {KvCellType::kF32, KvCellType::kF16, KvCellType::kQ8_0})
    for (const std::size_t chunk : {300, 33, 7, 1}) {
      Engine engine(model, on_gpu(cell));
      const auto logits = logits_of(engine, engine.create_sequence(), tokens, chunk);
      EXPECT_LT(relative_l2(logits, expected), cell == KvCellType::kQ8_0 ? 0.05 : 0.02)
          << "chunks of " << chunk << ", cells " << static_cast<int>(cell);
    }
}

TEST_F(CudaEngine, ASecondTurnFindsTheFirstOnesCells) {
  const auto model = demo_model();
  const auto tokens = some_tokens(150, 2);
  Engine engine(model, on_gpu());
  const SequenceId sequence = engine.create_sequence();
  const std::vector<TokenId> first(tokens.begin(), tokens.begin() + 100);
  const std::vector<TokenId> second(tokens.begin() + 100, tokens.end());
  logits_of(engine, sequence, first, 100);
  for (const TokenId token : some_tokens(20, 3)) logits_of(engine, sequence, {token}, 1);
  engine.truncate(sequence, 100);
  const auto logits = logits_of(engine, sequence, second, 50);
  Engine fresh(model, on_gpu());
  const SequenceId other = fresh.create_sequence();
  logits_of(fresh, other, first, 100);
  EXPECT_EQ(logits, logits_of(fresh, other, second, 50));
}

TEST_F(CudaEngine, ReusesGraphsOfAFewSizes) {
  Engine engine(demo_model(), on_gpu());
  const SequenceId sequence = engine.create_sequence();
  for (const int n : {65, 100, 128, 70, 1, 1, 1, 1}) logits_of(engine, sequence, some_tokens(n, n), 1000);
  EXPECT_LE(engine.stats().graphs_built, 3)
      << "one of 128 tokens, one of 1, and the one that places the cells";
}

TEST_F(CudaEngine, TwoEnginesInTwoThreadsDoNotDisturbEachOther) {
  const auto model = demo_model();
  const auto run = [&](int seed) {
    Engine engine(model, on_gpu());
    const SequenceId sequence = engine.create_sequence();
    std::vector<float> all = logits_of(engine, sequence, some_tokens(40, seed), 40);
    for (const TokenId token : some_tokens(60, seed + 1)) {
      const auto logits = logits_of(engine, sequence, {token}, 1);
      all.insert(all.end(), logits.begin(), logits.begin() + 8);
    }
    return all;
  };
  const std::vector<float> alone[] = {run(5), run(6)};
  std::vector<float> together[2];
  {
    std::jthread a([&] { together[0] = run(5); });
    std::jthread b([&] { together[1] = run(6); });
  }
  EXPECT_EQ(together[0], alone[0]);
  EXPECT_EQ(together[1], alone[1]);
}

TEST_F(CudaEngine, TwoModelsAtOnce) {
  const Oracle& oracle = own_oracle();
  const auto logits = [&](const OracleModel& m, Engine& engine) {
    return relative_l2(logits_of(engine, engine.create_sequence(), oracle.prompt, 1000), m.exact.logits);
  };
  std::vector<std::unique_ptr<Engine>> engines;
  for (const OracleModel& m : oracle.models)
    engines.push_back(std::make_unique<Engine>(Model::load(m.file.string()), on_gpu()));
  for (std::size_t i = 0; i < engines.size(); ++i)
    EXPECT_LT(logits(oracle.models[i], *engines[i]), 0.1) << oracle.models[i].name;
}

TEST_F(CudaEngine, AContextThatDoesNotFitIsRefusedWithNumbers) {
  const auto model = demo_model();
  EngineOptions options = on_gpu();
  options.n_ctx = 1 << 24;
  options.n_sequences = 64;
  try {
    Engine engine(model, options);
    FAIL();
  } catch (const OutOfMemoryError& error) {
    EXPECT_NE(std::string(error.what()).find("largest context that fits"), std::string::npos) << error.what();
  }
  Engine engine(model, on_gpu());
  EXPECT_NO_THROW(logits_of(engine, engine.create_sequence(), some_tokens(5, 1), 5));
}

// Other shapes in between: graphs are built anew, and the memory of all of them moves as it grows.
TEST_F(CudaEngine, CellsSurviveThatGraphsAreBuiltAnew) {
  const auto model = demo_model();
  for (const KvCellType cell : {KvCellType::kF32, KvCellType::kF16, KvCellType::kQ8_0}) {
    EngineOptions options = on_gpu(cell);
    options.n_sequences = 2;
    Engine engine(model, options);
    const SequenceId sequence = engine.create_sequence();
    logits_of(engine, sequence, some_tokens(40, 12), 40);
    const std::int64_t built = engine.stats().graphs_built;
    const SequenceId other = engine.create_sequence();
    for (const int n : {3, 500, 130}) logits_of(engine, other, some_tokens(n, n), 1000);
    EXPECT_GE(engine.stats().graphs_built, built + 3);
    Engine fresh(model, options);
    const SequenceId same = fresh.create_sequence();
    logits_of(fresh, same, some_tokens(40, 12), 40);
    EXPECT_EQ(logits_of(engine, sequence, some_tokens(8, 13), 8),
              logits_of(fresh, same, some_tokens(8, 13), 8))
        << "cells " << static_cast<int>(cell);
  }
}

// What users see: one line that names the GPU, or the CPU without a word, or an error where they asked for a GPU.
ProgramRun generate(std::vector<std::string> environment, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {
      "run", "-m", model_file("minfer-demo-q4_k_m.gguf").string(), "-p", "Once", "-n", "8", "--temp", "0"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(
      {.arguments = std::move(arguments), .environment = std::move(environment), .may_use_gpu = true});
}

TEST_F(CudaEngine, OneLineNamesTheGpu) {
  const ProgramRun run = generate({});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err.find("cuda: "), 0u) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

TEST_F(CudaEngine, WithoutItsGpuAModelRunsOnTheCpu) {
  const ProgramRun cpu = generate({}, {"--backend", "cpu"});
  EXPECT_EQ(cpu.err, "");
  for (const char* hidden : {"MINFER_DISABLE_CUDA=1", "CUDA_VISIBLE_DEVICES="}) {
    const ProgramRun run = generate({hidden});
    EXPECT_EQ(run.status, 0) << hidden << run.err;
    EXPECT_EQ(run.err, "") << hidden;
    EXPECT_EQ(run.out, cpu.out) << hidden;
    const ProgramRun refused = generate({hidden}, {"--gpu", "0"});
    EXPECT_EQ(refused.status, 1) << hidden;
    EXPECT_NE(refused.err.find("GPU 0 was asked for"), std::string::npos) << refused.err;
  }
  EXPECT_NE(generate({}, {"--gpu", "77"}).err.find("GPU 77 does not exist"), std::string::npos);
}

// Levers are read once a process: each is a process of its own.
std::string evaluated(const std::string& environment, const std::string& arguments) {
  std::string ids;
  for (const TokenId token : some_tokens(300, 4)) ids += (ids.empty() ? "" : ",") + std::to_string(token);
  const auto out = scratch_folder() / "logits.f32";
  const auto json = scratch_folder() / "eval.json";
  const std::string command = environment + " '" MINFER_PROGRAM "' eval '" +
                              model_file("minfer-demo-q4_k_m.gguf").string() + "' --backend cuda --ids " +
                              ids + " --logits '" + out.string() + "' " + arguments + " > '" + json.string() +
                              "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return read_text(json) + read_text(out);
}

TEST_F(CudaEngine, ReplayGivesTheBitsOfDirectLaunchesOver200Tokens) {
  for (const std::string cell : {"f32", "f16", "q8_0"}) {
    const std::string arguments = "--greedy 200 --kv " + cell;
    const std::string replayed = evaluated("", arguments);
    EXPECT_TRUE(replayed == evaluated("MINFER_NO_CUDA_GRAPH=1", arguments)) << cell;
    EXPECT_TRUE(replayed == evaluated("MINFER_NO_PREFILL_CAPTURE=1", arguments)) << cell;
    EXPECT_TRUE(replayed == evaluated("", arguments)) << "a run repeats itself, " << cell;
  }
}

// The third run of a prompt is recorded and the fourth replayed.
TEST_F(CudaEngine, AReplayedPromptGivesTheBitsOfItsFirstRun) {
  for (const KvCellType cell : {KvCellType::kF32, KvCellType::kF16}) {
    Engine engine(demo_model(), on_gpu(cell));
    const SequenceId sequence = engine.create_sequence();
    for (const int n : {16, 300}) {
      const auto tokens = some_tokens(n, 8);
      const auto first = logits_of(engine, sequence, tokens, 1000);
      for (int run = 2; run <= 5; ++run) {
        engine.truncate(sequence, 0);
        EXPECT_EQ(logits_of(engine, sequence, tokens, 1000), first) << n << " tokens, run " << run;
      }
      engine.truncate(sequence, 0);
    }
  }
}

TEST_F(CudaEngine, AContextShiftOnTheGpuIsTheCpus) {
  const auto model = demo_model();
  EngineOptions cpu = on_gpu(KvCellType::kF32);
  cpu.backend = "cpu";
  std::vector<float> logits[2];
  int i = 0;
  for (EngineOptions options : {on_gpu(KvCellType::kF32), cpu}) {
    options.n_sequences = 2;
    Engine engine(model, options);
    const SequenceId sequence = engine.create_sequence();
    logits_of(engine, sequence, some_tokens(200, 9), 200);
    const SequenceId fork = engine.fork(sequence);  // shared pages are copied first
    engine.remove_range(sequence, 10, 90);
    engine.free_sequence(fork);
    logits[i++] = logits_of(engine, sequence, some_tokens(5, 10), 5);
  }
  EXPECT_LT(relative_l2(logits[0], logits[1]), 0.02);
}

TEST_F(CudaEngine, FusedGivesTheBitsOfThePlainNodes) {
  const auto model = demo_model();
  const auto tokens = some_tokens(40, 7);
  for (const std::size_t chunk : {40, 8, 1}) {
    EngineOptions plain = on_gpu();
    plain.fuse = false;
    Engine fused(model, on_gpu());
    Engine unfused(model, plain);
    EXPECT_EQ(logits_of(fused, fused.create_sequence(), tokens, chunk),
              logits_of(unfused, unfused.create_sequence(), tokens, chunk))
        << "chunks of " << chunk;
  }
}

TEST_F(CudaEngine, FusedGivesTheBitsOfUnfused) {
  const std::string fused = evaluated("", "--greedy 20");
  for (const char* lever : {"MINFER_NO_FUSE_QKV=1", "MINFER_NO_FUSE_FFN=1", "MINFER_NO_DECODE_A_FUSE=1",
                            "MINFER_NO_PINNED_READBACK=1"})
    EXPECT_TRUE(fused == evaluated(lever, "--greedy 20")) << lever;
}

}  // namespace
}  // namespace minfer::test
