#include "graph/fuse/qkv_bias_rope_store.h"

#include "graph/fuse/fuse_test.h"

namespace minfer {
namespace {

class QkvBiasRopeStoreRule : public test::FuseTest {
 protected:
  static std::vector<std::string> weight_names(const Graph& graph, const Node& n) {
    std::vector<std::string> names;
    for (WeightId id : n.weights) names.push_back(graph.weights[static_cast<std::size_t>(id)].name);
    return names;
  }
  void expect_unfused(const Graph& graph) {
    const Graph result = fuse(graph);
    EXPECT_EQ(test::count<QkvBiasRopeStore>(result), 0);
    EXPECT_EQ(test::count<FusedQKV>(result), 0) << "neither without the other";
  }
};

TEST_F(QkvBiasRopeStoreRule, TakesOverGeometryAndRotation) {
  Graph fused = fuse(test::make_transformer());
  const Node& n = node(fused, "blk.0.kv_store");
  const auto& op = std::get<QkvBiasRopeStore>(n.op);
  EXPECT_EQ(op.kv, (KvGeometry{0, 2, 16, DType::kF32}));
  EXPECT_EQ(op.n_head, 4);
  EXPECT_EQ(op.n_dims, 16);
  EXPECT_FALSE(op.has_bias || op.has_norm);
  EXPECT_EQ(n.inputs,
            (std::vector<NodeId>{test::find_node(fused, "blk.0.attn_qkv"),
                                 test::find_node(fused, "rope_table"), test::find_node(fused, "cells")}));
}

TEST_F(QkvBiasRopeStoreRule, TakesBiases) {
  Graph fused = fuse(test::make_transformer({.qkv_bias = true}));
  const Node& n = node(fused, "blk.0.kv_store");
  EXPECT_TRUE(std::get<QkvBiasRopeStore>(n.op).has_bias);
  EXPECT_EQ(weight_names(fused, n),
            (std::vector<std::string>{"blk.0.attn_q.bias", "blk.0.attn_k.bias", "blk.0.attn_v.bias"}));
}

TEST_F(QkvBiasRopeStoreRule, TakesBiasesAndNormsTogether) {
  Graph fused = fuse(test::make_transformer({.qkv_bias = true, .qk_norm = true}));
  const Node& n = node(fused, "blk.0.kv_store");
  EXPECT_TRUE(std::get<QkvBiasRopeStore>(n.op).has_norm);
  EXPECT_FLOAT_EQ(std::get<QkvBiasRopeStore>(n.op).eps, 1e-6f);
  EXPECT_EQ(weight_names(fused, n),
            (std::vector<std::string>{"blk.0.attn_q.bias", "blk.0.attn_k.bias", "blk.0.attn_v.bias",
                                      "blk.0.attn_q_norm.weight", "blk.0.attn_k_norm.weight"}));
}

TEST_F(QkvBiasRopeStoreRule, KeepsABlockWithBiasesOnSomeProjections) {
  Graph graph = test::make_transformer({.qkv_bias = true});
  bypass(graph, "blk.0.attn_v.bias");
  expect_unfused(graph);
}

TEST_F(QkvBiasRopeStoreRule, KeepsABlockWithANormOnOneOfQAndK) {
  Graph graph = test::make_transformer({.qk_norm = true});
  bypass(graph, "blk.0.attn_k_norm");
  expect_unfused(graph);
}

TEST_F(QkvBiasRopeStoreRule, KeepsABlockWithDifferentNorms) {
  Graph graph = test::make_transformer({.qk_norm = true});
  std::get<QkNorm>(node(graph, "blk.0.attn_k_norm").op).eps = 1e-5f;
  expect_unfused(graph);
}

TEST_F(QkvBiasRopeStoreRule, KeepsABlockWithDifferentRotations) {
  Graph graph = test::make_transformer();
  std::get<RoPE>(node(graph, "blk.0.attn_k.rope").op).style = RopeStyle::kInterleaved;
  expect_unfused(graph);
}

TEST_F(QkvBiasRopeStoreRule, KeepsABlockWithUnrotatedKeys) {
  Graph graph = test::make_transformer();
  bypass(graph, "blk.0.attn_k.rope");
  expect_unfused(graph);
}

TEST_F(QkvBiasRopeStoreRule, KeepsAStoreThatNoAttentionFollows) {
  Graph graph = test::make_transformer();
  bypass(graph, "blk.0.attn");
  const Graph result = fuse(graph);
  EXPECT_EQ(test::count<KvStore>(result), 1);
  EXPECT_EQ(test::count<FusedQKV>(result), 0);
}

}  // namespace
}  // namespace minfer
