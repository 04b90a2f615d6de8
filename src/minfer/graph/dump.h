// Pictures of a graph for people: one line a node, or Graphviz.
#pragma once

#include <string>

#include "graph/compiled_graph.h"

namespace minfer {

// One line a node: "%7 = MatMul(%5) [blk.0.attn_q.weight q4_0 (64, 64)] -> f32 (3, 64)  blk.0.attn_q".
std::string dump_text(const Graph& graph);
// With the device and kernel of each node, the splits with their copies, and the memory of each device.
std::string dump_text(const CompiledGraph& graph);

// The DOT language (https://graphviz.org/doc/info/lang.html); nodes are coloured by device.
std::string dump_dot(const Graph& graph);
std::string dump_dot(const CompiledGraph& graph);

}  // namespace minfer
