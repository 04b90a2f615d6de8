// Fusion rules: what a rule is, and how one is run over a graph. Each rule has a file here, one line in
// rule_list.cpp and a test of the same name; docs/adding-a-fusion.md tells how to add one.
#pragma once

#include "graph/compile_state.h"
#include "graph/graph_editor.h"

namespace minfer {

// The graph under the hands of a rule. All nodes have devices and read inputs of the type that they ask for.
struct FuseContext {
  GraphEditor& editor;
  std::span<Backend* const> devices;

  // Whether the fused node may replace its pattern: its device supports the fusion and plans the node on the
  // inputs as they are. The node's inputs must be in the graph.
  bool accepts(const Node& fused) const;
};

struct FuseRule {
  std::string_view name;
  // Rewrites the pattern whose last node is `root` and returns true, or leaves the graph as it is. Results
  // keep their bits on the CPU. A rule never fuses a value away that is read elsewhere or that is an output.
  bool (*apply)(const FuseContext& context, NodeId root);
};

// Tries the rule at every node; returns how often it fired.
int run_rule(const FuseRule& rule, CompileState& state);

// A node that computes `op` on the device of `like`, with its label.
Node fused_node(const FuseContext& context, Op op, std::vector<NodeId> inputs, std::vector<WeightId> weights,
                NodeId like);

}  // namespace minfer
