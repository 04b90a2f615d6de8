// One arithmetic: the logits of a text have the same bits however it is computed. Each test changes one thing that
// must not matter and compares all rows with memcmp, over weight types, and over float32, float16 and packed KV cells.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "runtime/oracle.h"
#include "support/data.h"

namespace minfer::test {
namespace {

struct Case {
  std::string file;
  KvCellType kv_cell;
};

std::string name_of(KvCellType cell) {
  if (cell == KvCellType::kF16) return "f16";
  return cell == KvCellType::kQ8_0 ? "q8_0" : "f32";
}

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.file << " with cells of " << name_of(c.kv_cell);
}

// Types of weights: float, 32-value blocks with and without minimum, types without an integer product, K blocks. The
// packed cells need heads of 32 values, which the nano models of Qwen3 and the demo model have.
const Case kCases[] = {
    {"oracle/nano-qwen3-f32.gguf", KvCellType::kF32},     {"oracle/nano-qwen2-f16.gguf", KvCellType::kF32},
    {"oracle/nano-qwen2-q4_0.gguf", KvCellType::kF32},    {"oracle/nano-qwen2-q5_1.gguf", KvCellType::kF32},
    {"oracle/nano-llama-q8_0.gguf", KvCellType::kF32},    {"oracle/nano-qwen3-iq4_nl.gguf", KvCellType::kF32},
    {"minfer-demo-q4_k_m.gguf", KvCellType::kF32},        {"oracle/nano-qwen3-q8_0.gguf", KvCellType::kQ8_0},
    {"oracle/nano-qwen3-iq4_nl.gguf", KvCellType::kQ8_0}, {"minfer-demo-q4_k_m.gguf", KvCellType::kQ8_0},
    {"oracle/nano-qwen2-q4_0.gguf", KvCellType::kF16},    {"minfer-demo-q4_k_m.gguf", KvCellType::kF16},
};

// Crosses pages of 64 positions and the attention's segments of 512.
constexpr int kLongText = 600;
constexpr int kShortText = 150;  // for the demo model, which is a thousand times larger than the nano ones

TokenId some_token(int i, int which) { return (i * 37 + which * 101 + 11) % 500; }

class Determinism : public testing::TestWithParam<Case> {
 protected:
  bool is_demo() const { return GetParam().file.starts_with("minfer"); }
  int n_text() const { return is_demo() ? kShortText : kLongText; }

  std::shared_ptr<const Model> model() const {
    return Model::load((is_demo() ? model_file(GetParam().file) : test_data(GetParam().file)).string());
  }
  EngineOptions options() const {
    EngineOptions result;
    result.backend = "cpu";  // whose law this is
    result.kv_cell = GetParam().kv_cell;
    result.n_ctx = 1024;
    result.n_threads = 2;
    result.n_sequences = 4;
    return result;
  }

  // The logits after the last tokens of the text: enough rows to cross a page, in parts of `chunk` tokens.
  std::vector<float> logits_of(Engine& engine, SequenceId sequence, int chunk) const {
    std::vector<float> rows;
    for (int first = 0; first < n_text(); first += chunk) {
      std::vector<BatchToken> batch;
      for (int i = first; i < std::min(first + chunk, n_text()); ++i)
        batch.push_back({sequence, some_token(i, 0), i >= n_text() - 70});
      engine.decode(batch);
      append_rows(engine, rows);
    }
    return rows;
  }

  static void append_rows(const Engine& engine, std::vector<float>& rows) {
    for (int row = 0; row < engine.n_logit_rows(); ++row) {
      const auto logits = engine.logits(row);
      rows.insert(rows.end(), logits.begin(), logits.end());
    }
  }

  std::vector<float> run(const EngineOptions& engine_options, int chunk = 1 << 20) const {
    Engine engine(model(), engine_options);
    return logits_of(engine, engine.create_sequence(), chunk);
  }

  const std::vector<float>& expected() {
    if (expected_.empty()) expected_ = run(options());
    return expected_;
  }

  void expect_same_bits(const std::vector<float>& rows, const std::string& what) {
    ASSERT_EQ(rows.size(), expected().size()) << what;
    EXPECT_EQ(std::memcmp(rows.data(), expected().data(), rows.size() * sizeof(float)), 0) << what;
  }

 private:
  std::vector<float> expected_;
};

TEST_P(Determinism, ThreadsDoNotMatter) {
  for (const int n_threads : {1, 3, 8}) {
    EngineOptions changed = options();
    changed.n_threads = n_threads;
    expect_same_bits(run(changed), std::to_string(n_threads) + " threads");
  }
}

TEST_P(Determinism, PromptChunksDoNotMatter) {
  for (const int chunk : {1, 7, 64, 100})
    expect_same_bits(run(options(), chunk), std::to_string(chunk) + " tokens at once");
  EngineOptions changed = options();
  changed.n_ubatch = 33;
  expect_same_bits(run(changed), "micro-batches of 33");
}

TEST_P(Determinism, NeighboursInTheBatchDoNotMatter) {
  Engine engine(model(), options());
  const SequenceId before = engine.create_sequence();
  const SequenceId sequence = engine.create_sequence();
  const SequenceId after = engine.create_sequence();
  std::vector<float> rows;
  for (int first = 0; first < n_text(); first += 50) {
    std::vector<BatchToken> batch;
    for (int i = first; i < std::min(first + 50, n_text()); ++i) {
      if (i % 3 == 0) batch.push_back({before, some_token(i, 1), false});
      batch.push_back({sequence, some_token(i, 0), i >= n_text() - 70});
      if (i % 2 == 0) batch.push_back({after, some_token(i, 2), false});
    }
    engine.decode(batch);
    append_rows(engine, rows);
  }
  expect_same_bits(rows, "three sequences");
}

TEST_P(Determinism, UsedPagesDoNotMatter) {
  Engine engine(model(), options());
  const SequenceId keeper = engine.create_sequence();
  const SequenceId junk = engine.create_sequence();
  std::vector<BatchToken> batch;  // interleaved, so that the pages that become free are not in order
  for (int i = 0; i < 300; ++i) {
    batch.push_back({junk, some_token(i, 3), false});
    if (i < 200) batch.push_back({keeper, some_token(i, 4), false});
  }
  engine.decode(batch);
  engine.free_sequence(junk);
  const std::int64_t touched = engine.stats().pages_touched;
  expect_same_bits(logits_of(engine, engine.create_sequence(), 40), "used pages");
  EXPECT_LT(engine.stats().pages_touched, touched + (n_text() + 63) / 64) << "no used page was taken";
}

TEST_P(Determinism, SharedPagesDoNotMatter) {
  Engine engine(model(), options());
  const SequenceId first = engine.create_sequence();
  const int shared = n_text() - 75;  // within a page
  std::vector<BatchToken> batch;
  for (int i = 0; i < shared; ++i) batch.push_back({first, some_token(i, 0), false});
  engine.decode(batch);
  const SequenceId second = engine.fork(first);
  std::vector<float> rows;
  for (int i = shared; i < n_text(); ++i) {
    const BatchToken both[] = {{first, some_token(i, 5), false},
                               {second, some_token(i, 0), i >= n_text() - 70}};
    engine.decode(both);
    append_rows(engine, rows);
  }
  expect_same_bits(rows, "a forked sequence beside its origin");
}

TEST_P(Determinism, TruncatedTailsDoNotMatter) {
  Engine engine(model(), options());
  const SequenceId sequence = engine.create_sequence();
  const int kept = n_text() / 2;
  std::vector<BatchToken> batch;
  for (int i = 0; i < n_text(); ++i) batch.push_back({sequence, some_token(i, i < kept ? 0 : 6), false});
  engine.decode(batch);
  engine.truncate(sequence, kept);
  batch.clear();
  for (int i = kept; i < n_text(); ++i) batch.push_back({sequence, some_token(i, 0), i >= n_text() - 70});
  engine.decode(batch);
  std::vector<float> rows;
  append_rows(engine, rows);
  expect_same_bits(rows, "a truncated and rewritten tail");
}

TEST_P(Determinism, FusionDoesNotMatter) {
  EngineOptions changed = options();
  changed.fuse = false;
  expect_same_bits(run(changed), "without fusion");
}

// Levers are read once a process, so each instruction set and each fusion lever is a process of its own.
TEST_P(Determinism, InstructionSetsAndFusionLeversDoNotMatter) {
  std::string ids;
  for (int i = 0; i < 100; ++i) ids += (i ? "," : "") + std::to_string(some_token(i, 0));
  const auto run_program = [&](const std::string& environment) {
    const auto out = scratch_folder() / "logits.f32";
    const auto file = is_demo() ? model_file(GetParam().file) : test_data(GetParam().file);
    const std::string command =
        environment + " " MINFER_EMULATOR " '" MINFER_PROGRAM "' eval --backend cpu '" + file.string() +
        "' --ids " + ids + " --greedy 4 --logits '" + out.string() + "' --kv " + name_of(GetParam().kv_cell) +
        " > '" + (scratch_folder() / "eval.json").string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return read_text(scratch_folder() / "eval.json") + read_text(out);
  };
  const std::string plain = run_program("");
  for (const char* environment : {"MINFER_NO_AVX2=1", "MINFER_NO_AVX512=1", "MINFER_NO_NEON=1",
                                  "MINFER_NO_FUSE_QKV=1", "MINFER_NO_FUSE_FFN=1"})
    EXPECT_TRUE(run_program(environment) == plain) << environment;
}

INSTANTIATE_TEST_SUITE_P(Models, Determinism, testing::ValuesIn(kCases));

}  // namespace
}  // namespace minfer::test
