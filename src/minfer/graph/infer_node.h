// Shape inference and planning of a node inside a graph: gathers what ops and backends ask about.
#pragma once

#include "graph/graph.h"

namespace minfer {

// Type and shape of the result of `op` on values and tensors of the graph. Throws InternalError where they do
// not fit.
TensorDesc infer_node(const Graph& graph, const Op& op, std::span<const NodeId> inputs,
                      std::span<const WeightId> weights);

// A node with its result inferred. Where the shape rule rejects it, the message names the label.
Node make_node(const Graph& graph, Op op, std::vector<NodeId> inputs, std::vector<WeightId> weights,
               std::string label, DeviceId device);

// The device's answer for a node of the graph, which need not be in the node list yet.
Plan plan_node(const Graph& graph, const Node& node, const Backend& device);

// The same question with input 0 in another type.
Plan plan_node_reading(const Graph& graph, const Node& node, const Backend& device, DType input_type);

// The activation type that input 0 must be converted to before the planned kernel can read it, or the type it
// has. Inputs that are no activations (token ids, page tables) are never converted.
DType wanted_input_type(const Graph& graph, const Node& node, const Plan& plan);

}  // namespace minfer
