// How often each fusion fires in the graphs of real models: a rule that stops matching fails here. One row a
// file; every layer has one attention block and one feed-forward block, each ending in a sum; every norm
// and every result of attention can quantize in its epilogue.
#include <gtest/gtest.h>

#include "gguf/reader.h"
#include "graph/compiled_graph.h"
#include "graph/stamp_device.h"
#include "graph/test_graphs.h"
#include "models/architecture.h"
#include "support/data.h"

namespace minfer {
namespace {

struct FusionCounts {
  int fused_qkv, qkv_bias_rope_store, fused_ffn, swiglu, matmul_add, epilogues, quantize;
  bool operator==(const FusionCounts&) const = default;
};

std::ostream& operator<<(std::ostream& out, const FusionCounts& c) {
  return out << "{FusedQKV " << c.fused_qkv << ", QkvBiasRopeStore " << c.qkv_bias_rope_store << ", FusedFFN "
             << c.fused_ffn << ", SwiGLU " << c.swiglu << ", MatMulAdd " << c.matmul_add << ", epilogues "
             << c.epilogues << ", Quantize " << c.quantize << "}";
}

FusionCounts counts(const Graph& graph) {
  int epilogues = 0;
  for (const Node& node : graph.nodes)
    epilogues += node.out.dtype == DType::kQ8Row32 && !std::holds_alternative<Quantize>(node.op);
  return {test::count<FusedQKV>(graph), test::count<QkvBiasRopeStore>(graph), test::count<FusedFFN>(graph),
          test::count<SwiGLU>(graph),   test::count<MatMulAdd>(graph),        epilogues,
          test::count<Quantize>(graph)};
}

class FusionCountsTest : public testing::Test {
 protected:
  // Compiles the graph of a file of tests/data/oracle for a device that fuses everything.
  FusionCounts compile_model(const std::string& file, CompileOptions options = {}) {
    const std::vector<std::byte> bytes = test::read_bytes(test::test_data("oracle/" + file));
    const gguf::Reader reader = gguf::Reader::parse(bytes, file);
    const std::unique_ptr<Architecture> model = load_architecture(reader);
    test::StampDevice device({.activation = DType::kQ8Row32});
    for (const ModelWeight& weight : model->weights())
      device.register_weight(test::kTestModel, weight.ref.name, weight.view, weight.uses);
    Backend* const devices[] = {&device};
    options.verify = true;
    Graph graph =
        model->build(test::kTestModel, {.n_tokens = 5, .n_logit_rows = 1, .n_slots = 1, .max_pages = 1});
    return counts(compile(std::move(graph), devices, options)->graph());
  }
};

TEST_F(FusionCountsTest, OfFloatModels) {
  EXPECT_EQ(compile_model("nano-llama-f32.gguf"), (FusionCounts{2, 2, 2, 0, 4, 0, 0}));
  EXPECT_EQ(compile_model("nano-qwen3-f32.gguf"), (FusionCounts{2, 2, 2, 0, 4, 0, 0}));
}

TEST_F(FusionCountsTest, OfQuantizedModels) {
  EXPECT_EQ(compile_model("nano-llama-q8_0.gguf"), (FusionCounts{2, 2, 2, 0, 4, 9, 0}));
  EXPECT_EQ(compile_model("nano-qwen2-q4_0.gguf"), (FusionCounts{2, 2, 2, 0, 4, 9, 0}));
  EXPECT_EQ(compile_model("nano-qwen3-q8_0.gguf"), (FusionCounts{2, 2, 2, 0, 4, 9, 0}));
}

TEST_F(FusionCountsTest, WithoutTheFusionsThatOptionsUndo) {
  EXPECT_EQ(compile_model("nano-qwen2-q4_0.gguf", {.fuse_qkv = false}), (FusionCounts{0, 0, 2, 0, 4, 9, 0}));
  EXPECT_EQ(compile_model("nano-qwen2-q4_0.gguf", {.fuse_ffn = false}), (FusionCounts{2, 2, 0, 2, 4, 9, 0}));
  EXPECT_EQ(compile_model("nano-qwen2-q4_0.gguf", {.fuse = false}), (FusionCounts{0, 0, 0, 0, 0, 0, 9}));
}

}  // namespace
}  // namespace minfer
