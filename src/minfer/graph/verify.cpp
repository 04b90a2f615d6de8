#include "graph/verify.h"

#include <map>
#include <set>

#include "base/check.h"
#include "graph/infer_node.h"
#include "graph/node_kind.h"

namespace minfer {
namespace {

const Node& at(const Graph& graph, NodeId id) { return graph.nodes[static_cast<std::size_t>(id)]; }

void verify_operands(const Graph& graph, NodeId id) {
  const Node& node = at(graph, id);
  for (NodeId input : node.inputs)
    MINFER_CHECK(input >= 0 && input < id, "node {} ({}) reads node {}, which does not come before it", id,
                 node.label, input);
  for (WeightId weight : node.weights)
    MINFER_CHECK(weight >= 0 && weight < static_cast<WeightId>(graph.weights.size()),
                 "{} reads weight {} of {}", node.label, weight, graph.weights.size());
  const TensorDesc out = infer_node(graph, node.op, node.inputs, node.weights);
  MINFER_CHECK(out == node.out, "{} is {} {} and its shape rule says {} {}", node.label,
               dtype_name(node.out.dtype), to_string(node.out.shape), dtype_name(out.dtype),
               to_string(out.shape));
}

void verify_input_roles(const Graph& graph) {
  std::set<InputRole> seen;
  for (const Node& node : graph.nodes) {
    const Input* input = std::get_if<Input>(&node.op);
    if (!input || input->role == InputRole::kOther) continue;
    MINFER_CHECK(seen.insert(input->role).second, "a second input {} ({})", to_string(input->role),
                 node.label);
  }
}

void verify_kv_order(const Graph& graph) {
  std::set<int> stored_layers;
  for (const Node& node : graph.nodes) {
    if (stores_kv(node.op))
      MINFER_CHECK(stored_layers.insert(kv_geometry(node.op)->layer).second,
                   "{} stores a layer a second time", node.label);
    const Attn* attn = std::get_if<Attn>(&node.op);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Node& input = at(graph, node.inputs[i]);
      const bool orders = attn && i == 1;
      MINFER_CHECK(orders || has_bytes(input), "{} reads the handle {} as a value", node.label, input.label);
      if (orders)
        MINFER_CHECK(stores_kv(input.op) && *kv_geometry(input.op) == attn->kv,
                     "{} does not follow the store of layer {}", node.label, attn->kv.layer);
    }
  }
}

void verify_devices(const CompileState& state) {
  std::map<int, DeviceId> device_of_layer;
  for (const Node& node : state.graph.nodes) {
    MINFER_CHECK(node.device >= 0 && node.device < static_cast<DeviceId>(state.devices.size()),
                 "{} has device {} of {}", node.label, node.device, state.devices.size());
    if (!is_executed(node.op)) continue;
    MINFER_CHECK(supports_fused_op(state.device_of(node), node.op), "{}: {} does not run {} fused",
                 node.label, state.device_of(node).name(), op_name(node.op));
    if (const KvGeometry* kv = kv_geometry(node.op)) {
      const DeviceId device = device_of_layer.try_emplace(kv->layer, node.device).first->second;
      MINFER_CHECK(device == node.device, "{}: layer {} has its KV cells on device {}, not {}", node.label,
                   kv->layer, device, node.device);
    }
  }
}

void verify_plans(const CompileState& state) {
  MINFER_CHECK(state.plans.size() == state.graph.nodes.size(), "{} plans of {} nodes", state.plans.size(),
               state.graph.nodes.size());
  for (std::size_t i = 0; i < state.plans.size(); ++i) {
    const Node& node = state.graph.nodes[i];
    if (!is_executed(node.op)) continue;
    MINFER_CHECK(state.plans[i].supported, "{} is not planned: {}", node.label, state.plans[i].reason);
    if (node.inputs.empty()) continue;
    const DType actual = at(state.graph, node.inputs[0]).out.dtype;
    const DType wanted = wanted_input_type(state.graph, node, state.plans[i]);
    MINFER_CHECK(actual == wanted, "{} reads {} and is given {}", node.label, dtype_name(wanted),
                 dtype_name(actual));
  }
}

void verify_schedule(const CompileState& state) {
  int next = 0;
  for (const PlannedSplit& split : state.schedule.splits) {
    MINFER_CHECK(split.first == next && split.last > split.first, "split [{}, {}) after step {}", split.first,
                 split.last, next);
    for (next = split.first; next < split.last; ++next) {
      const Node& node = at(state.graph, state.schedule.steps[static_cast<std::size_t>(next)]);
      MINFER_CHECK(node.device == split.device, "{} of device {} in a split of {}", node.label, node.device,
                   split.device);
    }
  }
  MINFER_CHECK(next == static_cast<int>(state.schedule.steps.size()), "splits cover {} of {} steps", next,
               state.schedule.steps.size());
}

void verify_places(const CompileState& state) {
  for (NodeId id : state.schedule.steps) {
    const Node& node = at(state.graph, id);
    const std::vector<int>& place = state.memory.place[static_cast<std::size_t>(node.device)];
    for (NodeId input : node.inputs) {
      const NodeId root = state.schedule.roots[static_cast<std::size_t>(input)].root;
      MINFER_CHECK(!has_bytes(at(state.graph, root)) || place[static_cast<std::size_t>(root)] >= 0,
                   "{} reads {}, which has no place on device {}", node.label, at(state.graph, root).label,
                   node.device);
    }
  }
}

bool overlap(const PlannedBuffer& a, const PlannedBuffer& b) {
  return a.device == b.device && a.first <= b.last && b.first <= a.last && a.offset < b.offset + b.bytes &&
         b.offset < a.offset + a.bytes;
}

void verify_memory(const MemoryPlan& memory) {
  for (std::size_t i = 0; i < memory.buffers.size(); ++i) {
    const PlannedBuffer& a = memory.buffers[i];
    MINFER_CHECK(a.offset + a.bytes <= memory.arena_bytes[static_cast<std::size_t>(a.device)],
                 "buffer {} ends beyond the arena", i);
    for (std::size_t j = 0; j < i; ++j)
      MINFER_CHECK(!overlap(a, memory.buffers[j]), "buffers {} and {} of device {} overlap", j, i, a.device);
  }
}

}  // namespace

void verify_graph(const Graph& graph) {
  for (NodeId id = 0; id < static_cast<NodeId>(graph.nodes.size()); ++id) verify_operands(graph, id);
  for (NodeId output : graph.outputs)
    MINFER_CHECK(
        output >= 0 && output < static_cast<NodeId>(graph.nodes.size()) && has_bytes(at(graph, output)),
        "output {} of {} nodes", output, graph.nodes.size());
  verify_input_roles(graph);
  verify_kv_order(graph);
}

void verify(const CompileState& state) {
  verify_graph(state.graph);
  if (state.stage >= Stage::kAssigned) verify_devices(state);
  if (state.stage >= Stage::kPlanned) verify_plans(state);
  if (state.stage >= Stage::kScheduled) verify_schedule(state);
  if (state.stage >= Stage::kAllocated) {
    verify_places(state);
    verify_memory(state.memory);
  }
}

}  // namespace minfer
