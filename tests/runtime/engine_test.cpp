#include "minfer/engine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "gguf/file.h"
#include "minfer/error.h"
#include "support/data.h"

namespace minfer::test {
namespace {

std::shared_ptr<const Model> nano() {
  static const auto model = Model::load(test_data("oracle/nano-qwen2-q4_0.gguf").string());
  return model;
}

EngineOptions small_context(int n_ctx = 64) {
  EngineOptions options;
  options.n_ctx = n_ctx;
  options.n_sequences = 2;
  options.n_threads = 1;
  return options;
}

std::vector<BatchToken> tokens(SequenceId sequence, int n) {
  std::vector<BatchToken> batch;
  for (int i = 0; i < n; ++i) batch.push_back({sequence, i % 100, i + 1 == n});
  return batch;
}

TEST(Engine, DecodingReusesItsGraphsAlsoBetweenPrefillChunks) {
  Engine engine(nano(), small_context(512));
  const SequenceId a = engine.create_sequence();
  const SequenceId b = engine.create_sequence();
  const auto round = [&] {
    engine.decode(tokens(a, 16));  // a prefill chunk of one sequence, then a decode step of the other
    engine.decode(tokens(b, 1));
  };
  round();
  const std::int64_t built = engine.stats().graphs_built;
  for (int i = 0; i < 20; ++i) round();
  EXPECT_EQ(engine.stats().graphs_built, built);
  EXPECT_GE(engine.stats().graphs_reused, 40);
}

TEST(Engine, OnlyRowsThatWereAskedForHaveLogits) {
  Engine engine(nano(), small_context());
  const SequenceId sequence = engine.create_sequence();
  std::vector<BatchToken> batch = tokens(sequence, 10);
  engine.decode(batch);
  EXPECT_EQ(engine.n_logit_rows(), 1);
  EXPECT_EQ(engine.logits(0).size(), static_cast<std::size_t>(nano()->info().n_vocab));
  EXPECT_THROW((void)engine.logits(1), InvalidRequestError);
  for (BatchToken& token : batch) token.logits = false;
  engine.decode(batch);
  EXPECT_EQ(engine.n_logit_rows(), 0);
  EXPECT_EQ(engine.length(sequence), 20);
}

TEST(Engine, RefusesBadRequestsAndKeepsItsState) {
  Engine engine(nano(), small_context());
  const SequenceId sequence = engine.create_sequence();
  engine.decode(tokens(sequence, 60));
  EXPECT_THROW(engine.decode(tokens(sequence, 5)), InvalidRequestError) << "beyond the context";
  const BatchToken bad_token[] = {{sequence, 1, false}, {sequence, nano()->info().n_vocab, true}};
  EXPECT_THROW(engine.decode(bad_token), InvalidRequestError);
  const BatchToken negative{sequence, -1, true};
  EXPECT_THROW(engine.decode({&negative, 1}), InvalidRequestError);
  EXPECT_THROW(engine.decode(tokens(77, 1)), InvalidRequestError);
  EXPECT_THROW(engine.truncate(sequence, 61), InvalidRequestError);
  EXPECT_THROW(engine.remove_range(sequence, 5, 61), InvalidRequestError);
  EXPECT_EQ(engine.length(sequence), 60);
  engine.decode(tokens(sequence, 4));
  EXPECT_EQ(engine.length(sequence), 64);
}

TEST(Engine, HasAsManySequencesAsItWasMadeFor) {
  Engine engine(nano(), small_context());
  const SequenceId first = engine.create_sequence();
  engine.create_sequence();
  EXPECT_THROW(engine.create_sequence(), InvalidRequestError);
  EXPECT_THROW(engine.fork(first), InvalidRequestError);
  engine.free_sequence(first);
  EXPECT_NO_THROW(engine.create_sequence());
  EXPECT_THROW(engine.free_sequence(first), InvalidRequestError);
}

TEST(Engine, ACancelledRunLeavesEverySequenceAtItsFormerLength) {
  Engine engine(nano(), small_context(512));
  const SequenceId sequence = engine.create_sequence();
  engine.decode(tokens(sequence, 70));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(engine.decode(tokens(sequence, 200), stop.get_token()), CancelledError);
  EXPECT_EQ(engine.length(sequence), 70);
  EXPECT_EQ(engine.stats().pages_used, 2);
  engine.decode(tokens(sequence, 1));

  Engine undisturbed(nano(), small_context(512));
  const SequenceId other = undisturbed.create_sequence();
  undisturbed.decode(tokens(other, 70));
  undisturbed.decode(tokens(other, 1));
  EXPECT_TRUE(std::equal(engine.logits(0).begin(), engine.logits(0).end(), undisturbed.logits(0).begin()));
}

TEST(Engine, FullContextsOfAllSequencesFitAlsoWhenPagesWereShared) {
  Engine engine(nano(), small_context(64));
  const SequenceId first = engine.create_sequence();
  engine.decode(tokens(first, 30));
  const SequenceId second = engine.fork(first);
  engine.decode(tokens(second, 34));
  engine.decode(tokens(first, 34));
  EXPECT_EQ(engine.length(first), 64);
  EXPECT_EQ(engine.length(second), 64);
  engine.free_sequence(first);
  engine.free_sequence(second);
  EXPECT_EQ(engine.stats().pages_used, 0);
}

TEST(Engine, HalfCellsTakeHalfTheMemory) {
  EngineOptions options = small_context(128);
  const Engine floats(nano(), options);
  options.kv_cell = KvCellType::kF16;
  const Engine halves(nano(), options);
  const ModelInfo& info = nano()->info();
  EXPECT_EQ(floats.kv_bytes_per_position(),
            static_cast<std::uint64_t>(2 * 4 * info.n_layer * info.n_head_kv * info.head_dim));
  EXPECT_EQ(2 * halves.kv_bytes_per_position(), floats.kv_bytes_per_position());
}

TEST(Engine, OptionsOutOfRangeAreRefused) {
  for (const auto& change : std::vector<std::function<void(EngineOptions&)>>{
           [](auto& o) { o.n_ctx = -1; }, [](auto& o) { o.n_sequences = 0; },
           [](auto& o) { o.n_ubatch = -1; },
           [](auto& o) { o.n_ctx = 1 << 28, o.n_sequences = 9; },  // more cells than an i32 counts
           [](auto& o) { o.n_threads = -3; }, [](auto& o) { o.backend = "quantum"; },
           [](auto& o) {
             o.kv_cell = KvCellType::kQ8_0;
           }}) {  // heads of 16 values cannot be packed in blocks of 32
    EngineOptions options = small_context();
    change(options);
    EXPECT_THROW(Engine(nano(), options), Error);
  }
}

// A file whose weights are broken: the error names the first layer and op with a result that is no number.
TEST(Engine, ANonFiniteResultIsNamed) {
  std::string bytes = read_text(test_data("oracle/nano-qwen2-f16.gguf"));
  const auto model = Model::load(test_data("oracle/nano-qwen2-f16.gguf").string());
  const auto file = gguf::File::open(test_data("oracle/nano-qwen2-f16.gguf"));
  const gguf::TensorInfo* down = file->reader().find_tensor("blk.1.ffn_down.weight");
  ASSERT_NE(down, nullptr);
  bytes[down->offset] = 0x00;
  bytes[down->offset + 1] = 0x7e;  // a NaN in float16
  const auto path = scratch_folder() / "broken.gguf";
  std::ofstream(path, std::ios::binary) << bytes;

  EngineOptions options = small_context();
  options.backend = "cpu";  // others may fuse the op with its neighbours
  Engine engine(Model::load(path.string()), options);
  const SequenceId sequence = engine.create_sequence();
  try {
    engine.decode(tokens(sequence, 3));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("blk.1.ffn_down (MatMul)"), std::string::npos) << error.what();
  }
  EXPECT_EQ(engine.length(sequence), 0);
}

}  // namespace
}  // namespace minfer::test
