#include "graph/fuse/fused_qkv.h"

#include "graph/fuse/fuse_test.h"

namespace minfer {
namespace {

// The last layer's products, biases and rotations may be bent before compiling; the builder has no part in
// it.
class FusedQkvRule : public test::FuseTest {
 protected:
  void expect_unfused(const Graph& graph, const CompileOptions& options = {.verify = true}) {
    const Graph result = fuse(graph, options);
    EXPECT_EQ(test::count<FusedQKV>(result), 0);
    EXPECT_EQ(test::count<QkvBiasRopeStore>(result), 0);
    EXPECT_EQ(test::count<RoPE>(result), 2) << "the graph is as it was";
    EXPECT_EQ(test::count<KvStore>(result), 1);
  }
  static void make_output(Graph& graph, const std::string& label) {
    graph.outputs.push_back(test::find_node(graph, label));
  }
};

TEST_F(FusedQkvRule, FusesTheProjectionsOfALayer) {
  Graph fused = fuse(test::make_transformer({.n_layers = 2}));
  EXPECT_EQ(test::count<FusedQKV>(fused), 2);
  EXPECT_EQ(test::count<QkvBiasRopeStore>(fused), 2);
  EXPECT_EQ(test::count<RoPE>(fused) + test::count<KvStore>(fused), 0);
  const Node& qkv = node(fused, "blk.1.attn_qkv");
  EXPECT_EQ(qkv.out, (TensorDesc{DType::kF32, {64 + 2 * 32, 3}}));
  const char* names[] = {"blk.1.attn_q.weight", "blk.1.attn_k.weight", "blk.1.attn_v.weight"};
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(fused.weights[static_cast<std::size_t>(qkv.weights[i])].name, names[i]);
}

TEST_F(FusedQkvRule, GivesAttentionTheFusedNodeAsQueriesAndAsOrder) {
  Graph fused = fuse(test::make_transformer());
  const NodeId store = test::find_node(fused, "blk.0.kv_store");
  EXPECT_TRUE(std::holds_alternative<QkvBiasRopeStore>(fused.nodes[static_cast<std::size_t>(store)].op));
  EXPECT_EQ(node(fused, "blk.0.attn").inputs[0], store);
  EXPECT_EQ(node(fused, "blk.0.attn").inputs[1], store);
}

TEST_F(FusedQkvRule, FusesWeightsOfDifferentTypesThatReadOneInput) {
  Graph graph = test::make_transformer({.weights = DType::kQ8_0});
  graph.weights[static_cast<std::size_t>(node(graph, "blk.0.attn_v").weights[0])].desc.dtype = DType::kQ4_0;
  test::FusingDevice quantizing({.activation = DType::kQ8Row32});
  test::register_weights(graph, quantizing);
  Backend* const devices[] = {&quantizing};
  EXPECT_EQ(test::count<FusedQKV>(compile(graph, devices, {.verify = true})->graph()), 1);
}

TEST_F(FusedQkvRule, KeepsProjectionsThatReadTheInputInTwoTypes) {
  Graph graph = test::make_transformer({.weights = DType::kQ8_0});
  graph.weights[static_cast<std::size_t>(node(graph, "blk.0.attn_v").weights[0])].desc.dtype = DType::kF32;
  test::FusingDevice quantizing({.activation = DType::kQ8Row32});
  test::register_weights(graph, quantizing);
  Backend* const devices[] = {&quantizing};
  EXPECT_EQ(test::count<FusedQKV>(compile(graph, devices, {.verify = true})->graph()), 0);
}

TEST_F(FusedQkvRule, IsUndoneByItsOption) {
  expect_unfused(test::make_transformer(), {.fuse_qkv = false, .verify = true});
}

TEST_F(FusedQkvRule, FiresNotWithoutItsSecondHalf) {
  device_.without = {FusedKind::kQkvBiasRopeStore};
  expect_unfused(test::make_transformer());
}

TEST_F(FusedQkvRule, FiresNotWithoutItsFirstHalf) {
  device_.without = {FusedKind::kFusedQKV};
  expect_unfused(test::make_transformer());
}

TEST_F(FusedQkvRule, KeepsProjectionsOfAnotherInput) {
  Graph graph = test::make_transformer();
  node(graph, "blk.0.attn_v").inputs[0] = test::find_node(graph, "embedding");
  expect_unfused(graph);
}

TEST_F(FusedQkvRule, KeepsValuesThatAreOutputs) {
  for (const char* label : {"blk.0.attn_q", "blk.0.attn_k.rope", "blk.0.attn_q.rope", "blk.0.attn_v"}) {
    SCOPED_TRACE(label);
    Graph graph = test::make_transformer();
    make_output(graph, label);
    expect_unfused(graph);
  }
}

}  // namespace
}  // namespace minfer
