#include "graph/compiled_graph.h"

#include <algorithm>
#include <atomic>

#include "base/check.h"
#include "graph/node_kind.h"

namespace minfer {
namespace {

std::uint64_t next_graph_id() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

std::int64_t count_tokens(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    const Input* input = std::get_if<Input>(&node.op);
    if (input && input->role == InputRole::kTokens) return input->desc.shape.elements();
  }
  return 0;
}

}  // namespace

CompiledGraph::CompiledGraph(CompileState&& state)
    : graph_(std::move(state.graph)),
      devices_(state.devices.begin(), state.devices.end()),
      schedule_(std::move(state.schedule)),
      memory_(std::move(state.memory)),
      report_(std::move(state.report)) {
  make_steps(std::move(state.plans));
  make_splits();
  make_slots();
}

void CompiledGraph::make_steps(std::vector<Plan> plans) {
  step_of_node_.assign(graph_.nodes.size(), -1);
  std::size_t n_refs = 0;
  for (NodeId id : schedule_.steps) n_refs += graph_.nodes[static_cast<std::size_t>(id)].inputs.size();
  input_refs_.resize(n_refs);
  BufferRef* refs = input_refs_.data();
  for (NodeId id : schedule_.steps) {
    const Node& node = graph_.nodes[static_cast<std::size_t>(id)];
    step_of_node_[static_cast<std::size_t>(id)] = static_cast<int>(steps_.size());
    Step step{{&node, std::move(plans[static_cast<std::size_t>(id)])}, {}, -1};
    step.buffers.inputs = {refs, node.inputs.size()};
    refs += node.inputs.size();
    if (const KvGeometry* kv = kv_geometry(node.op)) step.kv_layer = kv->layer;
    steps_.push_back(std::move(step));
  }
}

void CompiledGraph::make_splits() {
  const std::int64_t n_tokens = count_tokens(graph_);
  std::size_t largest = 0;
  for (const PlannedSplit& planned : schedule_.splits) {
    BoundSplit bound{planned.device, {}, {}};
    bound.split.first = planned.first;
    bound.split.last = planned.last;
    bound.split.n_tokens = n_tokens;
    for (const Transfer& transfer : planned.transfers) {
      bound.transfers.push_back({transfer.from, {}, {}});
      largest = std::max(largest, tensor_bytes(graph_.nodes[static_cast<std::size_t>(transfer.value)].out));
    }
    splits_.push_back(std::move(bound));
  }
  staging_.resize(largest);
}

void CompiledGraph::make_slots() {
  for (NodeId id = 0; id < static_cast<NodeId>(graph_.nodes.size()); ++id) {
    const Input* input = std::get_if<Input>(&graph_.nodes[static_cast<std::size_t>(id)].op);
    if (!input) continue;
    InputSlot slot{id, input->role, {}};
    for (DeviceId device = 0; device < static_cast<DeviceId>(devices_.size()); ++device)
      if (memory_.place[static_cast<std::size_t>(device)][static_cast<std::size_t>(id)] >= 0)
        slot.homes.push_back({device, {}});
    inputs_.push_back(std::move(slot));
  }
  for (NodeId id : graph_.outputs)
    outputs_.push_back({graph_.nodes[static_cast<std::size_t>(id)].device, {}});
}

DeviceId CompiledGraph::kv_device(int layer) const {
  const auto step = std::ranges::find(steps_, layer, &Step::kv_layer);
  return step == steps_.end() ? -1 : step->planned.node->device;
}

const Plan* CompiledGraph::plan(NodeId node) const {
  const int step = step_of_node_[static_cast<std::size_t>(node)];
  return step < 0 ? nullptr : &steps_[static_cast<std::size_t>(step)].planned.plan;
}

void CompiledGraph::bind(Arena& arena) {
  MINFER_CHECK(arena.n_devices() == devices_.size(), "an arena of {} devices for a graph of {}",
               arena.n_devices(), devices_.size());
  for (DeviceId device = 0; device < static_cast<DeviceId>(devices_.size()); ++device)
    arena.reserve(device, arena_bytes(device));
  arena_ = &arena;
  set_refs();
  for (const Step& step : steps_) device(step.planned.node->device).prepare(step.planned);
}

void CompiledGraph::follow_arena() {
  MINFER_CHECK(arena_, "the graph has no arena");
  if (arena_generation_ != arena_->generation()) bind(*arena_);
}

// A graph whose memory moved is another graph to a device that recorded its splits: it gets a new id.
void CompiledGraph::set_refs() {
  arena_generation_ = arena_->generation();
  const std::uint64_t graph_id = next_graph_id();
  BufferRef* refs = input_refs_.data();
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Node& node = *steps_[i].planned.node;
    for (NodeId input : node.inputs) *refs++ = locate(input, node.device);
    steps_[i].buffers.output = locate(schedule_.steps[i], node.device);
    steps_[i].buffers.workspace = workspace(i);
  }
  for (std::size_t i = 0; i < splits_.size(); ++i) {
    splits_[i].split.graph_id = graph_id;
    const std::vector<Transfer>& planned = schedule_.splits[i].transfers;
    for (std::size_t t = 0; t < planned.size(); ++t) {
      splits_[i].transfers[t].source = locate(planned[t].value, planned[t].from);
      splits_[i].transfers[t].target = locate(planned[t].value, splits_[i].device);
    }
  }
  for (InputSlot& slot : inputs_)
    for (Home& home : slot.homes) home.ref = locate(slot.node, home.device);
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    outputs_[i].ref = locate(graph_.outputs[i], outputs_[i].device);
}

BufferRef CompiledGraph::locate(NodeId value, DeviceId device) const {
  const AliasRoot& root = schedule_.roots[static_cast<std::size_t>(value)];
  const int place = memory_.place[static_cast<std::size_t>(device)][static_cast<std::size_t>(root.root)];
  if (place < 0) return {};
  const PlannedBuffer& buffer = memory_.buffers[static_cast<std::size_t>(place)];
  return {arena_->buffer(device), buffer.offset + root.offset,
          tensor_bytes(graph_.nodes[static_cast<std::size_t>(value)].out)};
}

BufferRef CompiledGraph::workspace(std::size_t step) const {
  const int place = memory_.workspace[step];
  if (place < 0) return {};
  const PlannedBuffer& buffer = memory_.buffers[static_cast<std::size_t>(place)];
  return {arena_->buffer(buffer.device), buffer.offset, steps_[step].planned.plan.workspace_bytes};
}

}  // namespace minfer
