#include "graph/assign.h"

#include <gtest/gtest.h>

#include "graph/compiled_graph.h"
#include "graph/node_kind.h"
#include "graph/stamp_device.h"
#include "graph/test_graphs.h"
#include "minfer/error.h"

namespace minfer {
namespace {

using test::StampDevice;

class AssignTest : public testing::Test {
 protected:
  CompileState assigned(Graph graph, std::vector<Backend*> devices, CompileOptions options = {}) {
    devices_ = std::move(devices);
    options_ = std::move(options);
    CompileState state;
    state.graph = std::move(graph);
    state.devices = devices_;
    state.options = &options_;
    assign(state);
    return state;
  }
  static DeviceId device_of(const CompileState& state, const std::string& label) {
    return state.graph.nodes[static_cast<std::size_t>(test::find_node(state.graph, label))].device;
  }

  std::vector<Backend*> devices_;
  CompileOptions options_;
  Graph graph_ = test::make_transformer({.n_layers = 2});
};

TEST_F(AssignTest, PrefersTheFirstDevice) {
  StampDevice first, last;
  test::register_weights(graph_, first);
  test::register_weights(graph_, last);
  const CompileState state = assigned(graph_, {&first, &last});
  for (const Node& node : state.graph.nodes) EXPECT_EQ(node.device, 0) << node.label;
  EXPECT_TRUE(state.report.left_out.empty());
}

TEST_F(AssignTest, UsesTheLastDeviceAloneWhenAskedTo) {
  StampDevice first, last;
  test::register_weights(graph_, first);
  test::register_weights(graph_, last);
  const CompileState state = assigned(graph_, {&first, &last}, {.last_device_only = true});
  for (const Node& node : state.graph.nodes) EXPECT_EQ(node.device, 1) << node.label;
}

TEST_F(AssignTest, GivesNodesThatTheFirstRefusesToTheNext) {
  StampDevice first({}, [](const Op&op) { return !std::holds_alternative<Silu>(op); }), last;
  test::register_weights(graph_, first);
  test::register_weights(graph_, last);
  const CompileState state = assigned(graph_, {&first, &last});
  EXPECT_EQ(device_of(state, "blk.0.ffn_silu"), 1);
  EXPECT_EQ(device_of(state, "blk.0.ffn_mul"), 0);
  EXPECT_EQ(device_of(state, "blk.0.attn"), 0);
}

TEST_F(AssignTest, KeepsTheKvNodesOfALayerTogether) {
  StampDevice first({}, [](const Op&op) { return !std::holds_alternative<Attn>(op); }), last;
  test::register_weights(graph_, first);
  test::register_weights(graph_, last);
  const CompileState state = assigned(graph_, {&first, &last});
  EXPECT_EQ(device_of(state, "blk.1.attn"), 1);
  EXPECT_EQ(device_of(state, "blk.1.kv_store"), 1)
      << "supported by the first, but it goes with its attention";
  EXPECT_EQ(device_of(state, "blk.1.attn_q.rope"), 0);
  EXPECT_EQ(device_of(state, "cells"), 1) << "read by the store alone";
}

TEST_F(AssignTest, LeavesADeviceOutThatLacksAWeight) {
  StampDevice first, last;
  test::register_weights(graph_, last);
  for (const WeightRef& weight : graph_.weights)
    if (weight.name != "blk.1.ffn_up.weight") first.register_weight(graph_.model, weight.name, {}, 0);
  const CompileState state = assigned(graph_, {&first, &last});
  for (const Node& node : state.graph.nodes) EXPECT_EQ(node.device, 1) << node.label;
  ASSERT_EQ(state.report.left_out.size(), 1u);
  EXPECT_EQ(state.report.left_out[0].device, 0);
  EXPECT_EQ(state.report.left_out[0].tensor, "blk.1.ffn_up.weight");
}

TEST_F(AssignTest, LeavesADeviceOutThatCannotReadAWeightInItsRole) {
  StampDevice first({}, [](const Op&op) { return !std::holds_alternative<GetRows>(op); }), last;
  test::register_weights(graph_, first);
  test::register_weights(graph_, last);
  const CompileState state = assigned(graph_, {&first, &last});
  for (const Node& node : state.graph.nodes) EXPECT_EQ(node.device, 1) << node.label;
  ASSERT_EQ(state.report.left_out.size(), 1u);
  EXPECT_EQ(state.report.left_out[0].tensor, "token_embd.weight");
  EXPECT_EQ(state.report.left_out[0].reason, "not claimed");
}

TEST_F(AssignTest, LeavesADeviceOutThatCannotMakeTheInputOfItsProducts) {
  Graph graph = test::make_transformer({.weights = DType::kQ8_0});
  StampDevice first({.activation = DType::kQ8Row32},
                    [](const Op& op) { return !std::holds_alternative<Quantize>(op); });
  StampDevice last;
  test::register_weights(graph, first);
  test::register_weights(graph, last);
  const CompileState state = assigned(graph, {&first, &last});
  ASSERT_EQ(state.report.left_out.size(), 1u);
  EXPECT_EQ(state.report.left_out[0].tensor, "blk.0.attn_q.weight");
}

TEST_F(AssignTest, IsAnErrorWhereTheLastDeviceRefuses) {
  StampDevice last({}, [](const Op& op) { return !std::holds_alternative<Softmax>(op); });
  GraphBuilder builder(test::kTestModel);
  const Value x = builder.add(Input{InputRole::kOther, {DType::kF32, {8}}}, {}, {}, "x");
  builder.mark_output(builder.add(Softmax{}, {x}, {}, "probabilities"));
  try {
    assigned(std::move(builder).finish(), {&last});
    FAIL();
  } catch (const UnsupportedError& error) {
    EXPECT_NE(std::string(error.what()).find("probabilities"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace minfer
