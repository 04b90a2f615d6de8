#include "graph/infer_node.h"

#include "base/check.h"

namespace minfer {
namespace {

std::vector<TensorDesc> input_descs(const Graph& graph, std::span<const NodeId> inputs) {
  std::vector<TensorDesc> descs;
  descs.reserve(inputs.size());
  for (NodeId id : inputs) descs.push_back(graph.nodes.at(static_cast<std::size_t>(id)).out);
  return descs;
}

std::vector<WeightRef> weight_refs(const Graph& graph, std::span<const WeightId> weights) {
  std::vector<WeightRef> refs;
  refs.reserve(weights.size());
  for (WeightId id : weights) refs.push_back(graph.weights.at(static_cast<std::size_t>(id)));
  return refs;
}

Plan ask(const Graph& graph, const Node& node, const Backend& device, std::span<const TensorDesc> inputs) {
  const std::vector<WeightRef> weights = weight_refs(graph, node.weights);
  return device.plan({graph.model, &node.op, inputs, node.out, weights, node.label});
}

}  // namespace

TensorDesc infer_node(const Graph& graph, const Op& op, std::span<const NodeId> inputs,
                      std::span<const WeightId> weights) {
  std::vector<TensorDesc> weight_descs;
  weight_descs.reserve(weights.size());
  for (WeightId id : weights) weight_descs.push_back(graph.weights.at(static_cast<std::size_t>(id)).desc);
  return infer(op, {input_descs(graph, inputs), weight_descs});
}

Node make_node(const Graph& graph, Op op, std::vector<NodeId> inputs, std::vector<WeightId> weights,
               std::string label, DeviceId device) {
  try {
    const TensorDesc out = infer_node(graph, op, inputs, weights);
    return {std::move(op), out, std::move(inputs), std::move(weights), std::move(label), device};
  } catch (const InternalError& error) {
    throw InternalError(fmt::format("node {}: {}", label, error.what()));
  }
}

Plan plan_node(const Graph& graph, const Node& node, const Backend& device) {
  return ask(graph, node, device, input_descs(graph, node.inputs));
}

Plan plan_node_reading(const Graph& graph, const Node& node, const Backend& device, DType input_type) {
  std::vector<TensorDesc> inputs = input_descs(graph, node.inputs);
  inputs.at(0).dtype = input_type;
  return ask(graph, node, device, inputs);
}

DType wanted_input_type(const Graph& graph, const Node& node, const Plan& plan) {
  if (node.inputs.empty()) return plan.input_type;
  const DType actual = graph.nodes.at(static_cast<std::size_t>(node.inputs[0])).out.dtype;
  return is_activation_dtype(actual) ? plan.input_type : actual;
}

}  // namespace minfer
