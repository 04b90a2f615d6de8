#include "graph/assign.h"

#include <map>

#include "base/check.h"
#include "graph/infer_node.h"
#include "graph/node_kind.h"

namespace minfer {
namespace {

// Nodes that must run on one device.
using Group = std::vector<NodeId>;

// Empty where the device runs the node (after conversion of its input, if it asks for one), else the reason.
std::string refusal(const Graph& graph, const Node& node, const Backend& device) {
  const Plan plan = plan_node(graph, node, device);
  if (!plan.supported) return plan.reason.empty() ? "unsupported" : plan.reason;
  if (node.inputs.empty()) return {};
  const TensorDesc& input = graph.nodes[static_cast<std::size_t>(node.inputs[0])].out;
  const DType wanted = wanted_input_type(graph, node, plan);
  if (wanted == input.dtype) return {};
  const Plan converted = plan_node_reading(graph, node, device, wanted);
  if (!converted.supported) return converted.reason;
  const Op quantize = Quantize{wanted};
  const Plan conversion =
      device.plan({graph.model, &quantize, {&input, 1}, {wanted, input.shape}, {}, node.label});
  return conversion.supported ? std::string() : conversion.reason;
}

std::string first_refused_weight(const Graph& graph, const Node& node, const Backend& device) {
  for (WeightId id : node.weights) {
    const std::string& name = graph.weights[static_cast<std::size_t>(id)].name;
    if (!device.has_weight(graph.model, name)) return name;
  }
  return {};
}

// Whether a device can run every node that reads weights; where it cannot, says so in the report.
bool takes_part(CompileState& state, DeviceId id) {
  const Backend& device = *state.devices[static_cast<std::size_t>(id)];
  for (const Node& node : state.graph.nodes) {
    if (node.weights.empty()) continue;
    std::string tensor = first_refused_weight(state.graph, node, device);
    std::string reason =
        tensor.empty() ? refusal(state.graph, node, device) : "it is not registered on this device";
    if (reason.empty()) continue;
    if (tensor.empty()) tensor = state.graph.weights[static_cast<std::size_t>(node.weights[0])].name;
    state.report.left_out.push_back({id, std::move(tensor), std::move(reason)});
    return false;
  }
  return true;
}

std::vector<DeviceId> candidates(CompileState& state) {
  const auto last = static_cast<DeviceId>(state.devices.size()) - 1;
  std::vector<DeviceId> result;
  for (DeviceId id = 0; id < last; ++id)
    if (!state.options->last_device_only && takes_part(state, id)) result.push_back(id);
  result.push_back(last);
  return result;
}

std::vector<Group> groups(const Graph& graph) {
  std::vector<Group> result;
  std::map<int, std::size_t> group_of_layer;
  for (NodeId id = 0; id < static_cast<NodeId>(graph.nodes.size()); ++id) {
    const Op& op = graph.nodes[static_cast<std::size_t>(id)].op;
    if (!is_executed(op)) continue;
    if (const KvGeometry* kv = kv_geometry(op)) {
      const auto [entry, first] = group_of_layer.try_emplace(kv->layer, result.size());
      if (!first) {
        result[entry->second].push_back(id);
        continue;
      }
    }
    result.push_back({id});
  }
  return result;
}

// The first node of a group that the device refuses and why, or -1.
std::pair<NodeId, std::string> first_refused_node(const Graph& graph, const Group& group,
                                                  const Backend& device) {
  for (NodeId id : group)
    if (std::string reason = refusal(graph, graph.nodes[static_cast<std::size_t>(id)], device);
        !reason.empty())
      return {id, std::move(reason)};
  return {-1, {}};
}

DeviceId choose(const CompileState& state, std::span<const DeviceId> devices, const Group& group) {
  for (DeviceId id : devices) {
    const Backend& device = *state.devices[static_cast<std::size_t>(id)];
    const auto [refused, reason] = first_refused_node(state.graph, group, device);
    if (refused < 0) return id;
    if (id == devices.back()) {
      const Node& node = state.graph.nodes[static_cast<std::size_t>(refused)];
      throw UnsupportedError(
          fmt::format("{} ({}) cannot run on {}: {}", node.label, op_name(node.op), device.name(), reason));
    }
  }
  MINFER_CHECK(false, "no device for a group of {} nodes", group.size());
}

// Inputs go where they are first read, aliases where the memory is that they show.
void place_inputs_and_aliases(Graph& graph, DeviceId fallback) {
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (node->device < 0) node->device = fallback;
    for (NodeId id : node->inputs) {
      Node& input = graph.nodes[static_cast<std::size_t>(id)];
      if (!is_executed(input.op)) input.device = node->device;
    }
  }
  for (Node& node : graph.nodes)
    if (is_alias(node.op)) node.device = graph.nodes[static_cast<std::size_t>(node.inputs[0])].device;
}

}  // namespace

int assign(CompileState& state) {
  const std::vector<DeviceId> devices = candidates(state);
  int assigned = 0;
  for (const Group& group : groups(state.graph)) {
    const DeviceId device = choose(state, devices, group);
    for (NodeId id : group) state.graph.nodes[static_cast<std::size_t>(id)].device = device;
    assigned += static_cast<int>(group.size());
  }
  place_inputs_and_aliases(state.graph, devices.back());
  return assigned;
}

}  // namespace minfer
