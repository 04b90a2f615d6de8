// What the tests of fusion rules share: compile a graph with fusion for a device and look at what became of
// it.
#pragma once

#include <gtest/gtest.h>

#include <set>

#include "graph/compiled_graph.h"
#include "graph/graph_editor.h"
#include "graph/stamp_device.h"
#include "graph/test_graphs.h"

namespace minfer::test {

// A device that supports all fused kinds but those that are taken from it.
class FusingDevice : public StampDevice {
 public:
  using StampDevice::StampDevice;
  bool supports_fused(FusedKind kind) const override { return !without.contains(kind); }
  std::set<FusedKind> without;
};

class FuseTest : public testing::Test {
 protected:
  // The graph after all passes.
  Graph fuse(const Graph& graph, const CompileOptions& options = {.verify = true}) {
    register_weights(graph, device_);
    Backend* const devices[] = {&device_};
    return compile(graph, devices, options)->graph();
  }
  static Value input(GraphBuilder& builder, const std::string& label, Shape shape) {
    return builder.add(Input{InputRole::kOther, {DType::kF32, shape}}, {}, {}, label);
  }
  // Removes a node of one input: its readers read that instead.
  static void bypass(Graph& graph, const std::string& label) {
    GraphEditor editor(graph);
    const NodeId id = find_node(graph, label);
    editor.replace_uses(id, editor.node(id).inputs[0]);
    editor.erase(id);
    editor.commit();
  }
  static Node& node(Graph& graph, const std::string& label) {
    return graph.nodes[static_cast<std::size_t>(find_node(graph, label))];
  }

  FusingDevice device_;
};

}  // namespace minfer::test
