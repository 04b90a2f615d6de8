#include "graph/dump.h"

#include <fmt/core.h>

#include "graph/node_kind.h"

namespace minfer {
namespace {

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string describe(const TensorDesc& desc) {
  return fmt::format("{} {}", dtype_name(desc.dtype), to_string(desc.shape));
}

std::string node_line(const Graph& graph, NodeId id) {
  const Node& node = graph.nodes[static_cast<std::size_t>(id)];
  std::vector<std::string> inputs, weights;
  for (NodeId input : node.inputs) inputs.push_back(fmt::format("%{}", input));
  for (WeightId weight : node.weights) {
    const WeightRef& ref = graph.weights[static_cast<std::size_t>(weight)];
    weights.push_back(fmt::format("{} {}", ref.name, describe(ref.desc)));
  }
  std::string line = fmt::format("%{} = {}({})", id, op_name(node.op), join(inputs));
  if (!weights.empty()) line += fmt::format(" [{}]", join(weights));
  return line + fmt::format(" -> {}  {}", describe(node.out), node.label);
}

std::string outputs_line(const Graph& graph) {
  std::vector<std::string> outputs;
  for (NodeId output : graph.outputs) outputs.push_back(fmt::format("%{}", output));
  return fmt::format("outputs: {}\n", join(outputs));
}

// Twelve colours that stay apart, Graphviz's scheme "set312" (https://graphviz.org/doc/info/colors.html).
int colour(const Node& node) { return node.device < 0 ? 9 : node.device % 12 + 1; }

std::string dot_node(const Graph& graph, NodeId id, std::string_view details) {
  const Node& node = graph.nodes[static_cast<std::size_t>(id)];
  std::string text =
      fmt::format("  n{} [label=\"{}\\n{}\\n{}", id, op_name(node.op), node.label, describe(node.out));
  if (!details.empty()) text += fmt::format("\\n{}", details);
  text += fmt::format("\" fillcolor={}];\n", colour(node));
  for (NodeId input : node.inputs) text += fmt::format("  n{} -> n{};\n", input, id);
  return text;
}

template <class Details>
std::string dot(const Graph& graph, const Details& details) {
  std::string text = "digraph minfer {\n  node [shape=box style=filled colorscheme=set312];\n";
  for (NodeId id = 0; id < static_cast<NodeId>(graph.nodes.size()); ++id)
    text += dot_node(graph, id, details(id));
  return text + "}\n";
}

std::string device_and_kernel(const CompiledGraph& graph, NodeId id) {
  const Node& node = graph.graph().nodes[static_cast<std::size_t>(id)];
  const Plan* plan = graph.plan(id);
  if (!plan) return std::string(graph.device(node.device).name());
  return fmt::format("{}: {}", graph.device(node.device).name(), plan->kernel);
}

std::string splits_text(const CompiledGraph& graph) {
  std::string text;
  for (const BoundSplit& split : graph.splits()) {
    std::size_t bytes = 0;
    for (const BoundTransfer& transfer : split.transfers) bytes += transfer.target.bytes;
    text +=
        fmt::format("split: steps {} .. {} on {}, {} values copied in ({} bytes)\n", split.split.first,
                    split.split.last - 1, graph.device(split.device).name(), split.transfers.size(), bytes);
  }
  for (std::size_t i = 0; i < graph.devices().size(); ++i)
    text += fmt::format("arena of {}: {} bytes\n", graph.devices()[i]->name(),
                        graph.arena_bytes(static_cast<DeviceId>(i)));
  for (const LeftOutDevice& left_out : graph.report().left_out)
    text += fmt::format("{} takes no part: {}: {}\n", graph.device(left_out.device).name(), left_out.tensor,
                        left_out.reason);
  return text;
}

}  // namespace

std::string dump_text(const Graph& graph) {
  std::string text;
  for (NodeId id = 0; id < static_cast<NodeId>(graph.nodes.size()); ++id) text += node_line(graph, id) + "\n";
  return text + outputs_line(graph);
}

std::string dump_text(const CompiledGraph& graph) {
  std::string text;
  for (NodeId id = 0; id < static_cast<NodeId>(graph.graph().nodes.size()); ++id)
    text += fmt::format("{}  <{}>\n", node_line(graph.graph(), id), device_and_kernel(graph, id));
  return text + outputs_line(graph.graph()) + splits_text(graph);
}

std::string dump_dot(const Graph& graph) {
  return dot(graph, [](NodeId) { return std::string(); });
}

std::string dump_dot(const CompiledGraph& graph) {
  return dot(graph.graph(), [&](NodeId id) { return device_and_kernel(graph, id); });
}

}  // namespace minfer
