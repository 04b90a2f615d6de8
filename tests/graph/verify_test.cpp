// Each rule of the spec refuses a graph that breaks it alone.
#include "graph/verify.h"

#include <gtest/gtest.h>

#include "graph/assign.h"
#include "graph/stamp_device.h"
#include "graph/test_graphs.h"
#include "minfer/error.h"

namespace minfer {
namespace {

using test::find_node;

class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    test::register_weights(graph_, device_);
    state_.graph = graph_;
    state_.devices = devices_;
    state_.options = &options_;
  }
  Node& node(Graph& graph, const std::string& label) {
    return graph.nodes[static_cast<std::size_t>(find_node(graph, label))];
  }

  Graph graph_ = test::make_transformer({.n_layers = 2});
  test::StampDevice device_{{.fused = false}};
  std::vector<Backend*> devices_{&device_, &device_};
  CompileOptions options_;
  CompileState state_;
};

TEST_F(VerifyTest, AcceptsATransformer) { EXPECT_NO_THROW(verify_graph(graph_)); }

TEST_F(VerifyTest, RefusesAReaderBeforeItsInput) {
  std::swap(graph_.nodes[7], graph_.nodes[8]);
  EXPECT_THROW(verify_graph(graph_), InternalError);
}

TEST_F(VerifyTest, RefusesAShapeThatTheOpDoesNotGive) {
  node(graph_, "blk.0.attn_q").out.shape.dim[0] = 32;
  EXPECT_THROW(verify_graph(graph_), InternalError);
}

TEST_F(VerifyTest, RefusesAWeightThatIsNotThere) {
  node(graph_, "blk.0.attn_q").weights[0] = 1000;
  EXPECT_THROW(verify_graph(graph_), InternalError);
}

TEST_F(VerifyTest, RefusesAnOutputThatIsNotThere) {
  graph_.outputs[0] = 1000;
  EXPECT_THROW(verify_graph(graph_), InternalError);
  graph_.outputs[0] = find_node(graph_, "blk.0.kv_store");
  EXPECT_THROW(verify_graph(graph_), InternalError) << "a handle has no bytes to read";
}

TEST_F(VerifyTest, RefusesASecondInputOfARole) {
  std::get<Input>(node(graph_, "slots").op).role = InputRole::kCells;
  EXPECT_THROW(verify_graph(graph_), InternalError);
}

TEST_F(VerifyTest, RefusesAttentionAfterTheStoreOfAnotherLayer) {
  node(graph_, "blk.1.attn").inputs[1] = find_node(graph_, "blk.0.kv_store");
  EXPECT_THROW(verify_graph(graph_), InternalError);
}

TEST_F(VerifyTest, RefusesASecondStoreOfALayer) {
  std::get<KvStore>(node(graph_, "blk.1.kv_store").op).kv.layer = 0;
  std::get<Attn>(node(graph_, "blk.1.attn").op).kv.layer = 0;
  EXPECT_THROW(verify_graph(graph_), InternalError);
}

TEST_F(VerifyTest, RefusesKvNodesOfALayerOnTwoDevices) {
  assign(state_);
  state_.stage = Stage::kAssigned;
  EXPECT_NO_THROW(verify(state_));
  node(state_.graph, "blk.1.attn").device = 1;
  EXPECT_THROW(verify(state_), InternalError);
}

TEST_F(VerifyTest, RefusesANodeWithoutDevice) {
  state_.stage = Stage::kAssigned;
  EXPECT_THROW(verify(state_), InternalError);
}

TEST_F(VerifyTest, RefusesAFusedOpThatTheDeviceDoesNotRun) {
  assign(state_);
  state_.stage = Stage::kAssigned;
  std::get<RmsNorm>(node(state_.graph, "output_norm").op).output = DType::kQ8Row32;
  node(state_.graph, "output_norm").out.dtype = DType::kQ8Row32;
  EXPECT_THROW(verify(state_), InternalError);
}

TEST_F(VerifyTest, RefusesBuffersThatOverlapWhileBothAreAlive) {
  state_.graph = {};
  state_.stage = Stage::kAllocated;
  state_.memory.arena_bytes = {256, 0};
  state_.memory.buffers = {{0, 128, 0, 2, false, 0}, {0, 128, 3, 4, false, 64}};
  EXPECT_NO_THROW(verify(state_)) << "one after the other";
  state_.memory.buffers[1].first = 2;
  EXPECT_THROW(verify(state_), InternalError);
  state_.memory.buffers[1].offset = 128;
  EXPECT_NO_THROW(verify(state_)) << "side by side";
  state_.memory.arena_bytes[0] = 192;
  EXPECT_THROW(verify(state_), InternalError) << "beyond the arena";
}

}  // namespace
}  // namespace minfer
