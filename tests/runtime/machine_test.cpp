#include "minfer/machine.h"

#include <gtest/gtest.h>

#include <set>

#include "minfer/engine.h"
#include "minfer/error.h"
#include "quant/traits.h"
#include "support/data.h"

namespace minfer {
namespace {

TEST(BackendStatuses, NameEachOnceAndSayWhyOneIsAbsent) {
  std::set<std::string> names;
  for (const BackendStatus& status : backend_statuses()) {
    EXPECT_TRUE(names.insert(status.name).second) << status.name << " twice";
    EXPECT_NE(status.detail, "") << status.name;
    EXPECT_EQ(status.memory_bytes != 0, status.available) << status.name;
  }
  EXPECT_EQ(names, (std::set<std::string>{"cpu", "cuda", "metal", "reference"}));
}

TEST(ProductKernels, AreThoseOfEveryWeightType) {
  for (const char* backend : {"cpu", "reference"}) {
    const std::vector<ProductKernels> kernels = product_kernels(backend);
    ASSERT_EQ(kernels.size(), all_quant_traits().size());
    for (const ProductKernels& row : kernels) {
      EXPECT_FALSE(row.decode.empty() || row.decode.starts_with("(")) << row.type << " " << row.decode;
      EXPECT_FALSE(row.prefill.empty() || row.prefill.starts_with("(")) << row.type << " " << row.prefill;
    }
  }
  EXPECT_THROW(product_kernels("none"), InvalidRequestError);
}

class EnginePlanTest : public testing::Test {
 protected:
  static EngineOptions options() {
    EngineOptions options;
    options.n_ctx = 128;
    options.n_ubatch = 32;
    options.n_threads = 1;
    return options;
  }
  const std::shared_ptr<const Model> model_ =
      Model::load(test::test_data("oracle/nano-qwen2-q4_0.gguf").string());
  Engine engine_{model_, options()};
};

// The dump of a graph that ran names each node's kernel as "<cpu: KERNEL>".
TEST_F(EnginePlanTest, IsWhatRuns) {
  for (const int n_tokens : {1, 32}) {
    const RunPlan plan = engine_.plan(n_tokens);
    const SequenceId sequence = engine_.create_sequence();
    std::vector<BatchToken> batch(static_cast<std::size_t>(n_tokens), {sequence, 1, false});
    batch.back().logits = true;
    engine_.decode(batch);
    engine_.free_sequence(sequence);
    const std::string ran = engine_.describe_graph();
    std::size_t at = 0;
    for (const PlannedKernel& kernel : plan.kernels) {
      at = ran.find(kernel.label + "  <" + kernel.backend + ": " + kernel.kernel + ">", at);
      ASSERT_NE(at, std::string::npos) << kernel.label << " " << kernel.kernel << "\n" << ran;
    }
  }
}

TEST_F(EnginePlanTest, NamesEveryWeightWithItsBytes) {
  std::set<std::string> names;
  std::uint64_t bytes = 0;
  for (const PlannedKernel& kernel : engine_.plan(1).kernels)
    for (const PlannedWeight& weight : kernel.weights)
      if (names.insert(weight.name).second) bytes += weight.bytes;
  EXPECT_EQ(bytes, model_->info().tensor_bytes);
}

TEST_F(EnginePlanTest, RunsNothing) {
  const SequenceId sequence = engine_.create_sequence();
  engine_.plan(32);
  EXPECT_EQ(engine_.length(sequence), 0);
  EXPECT_EQ(engine_.stats().pages_used, 0);
  EXPECT_GT(engine_.plan(32).activation_bytes, engine_.plan(1).activation_bytes);
}

TEST_F(EnginePlanTest, RefusesWhatIsNoRun) {
  EXPECT_THROW(engine_.plan(0), InvalidRequestError);
  EXPECT_THROW(engine_.plan(-1), InvalidRequestError);
  EXPECT_THROW(engine_.plan(33), InvalidRequestError);
}

TEST(EngineKvBytes, AreThoseOfAPositionInAllLayers) {
  const auto model = Model::load(test::model_file("minfer-demo-q4_k_m.gguf").string());
  const ModelInfo& info = model->info();
  const auto values = static_cast<std::uint64_t>(2 * info.n_layer * info.n_head_kv * info.head_dim);
  EngineOptions options;
  options.n_ctx = 64;
  options.n_threads = 1;
  EXPECT_EQ(Engine(model, options).kv_bytes_per_position(), 4 * values);
  options.kv_cell = KvCellType::kQ8_0;
  EXPECT_EQ(Engine(model, options).kv_bytes_per_position(), values / 32 * 34);
}

}  // namespace
}  // namespace minfer
