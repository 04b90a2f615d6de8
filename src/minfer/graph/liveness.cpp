#include "graph/liveness.h"

#include <algorithm>

#include "graph/node_kind.h"

namespace minfer {
namespace {

std::size_t round_up(std::size_t bytes) {
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}

class LivenessPass {
 public:
  explicit LivenessPass(CompileState& state) : state_(state), memory_(state.memory) {
    memory_ = {};
    memory_.place.assign(state.devices.size(), std::vector<int>(state.graph.nodes.size(), -1));
    memory_.arena_bytes.assign(state.devices.size(), 0);
  }

  void run() {
    for (const PlannedSplit& split : state_.schedule.splits) {
      for (const Transfer& transfer : split.transfers) copy_in(transfer, split);
      for (int step = split.first; step < split.last; ++step) execute(step);
    }
    keep_outputs();
  }

 private:
  const Node& node(NodeId id) const { return state_.graph.nodes[static_cast<std::size_t>(id)]; }
  int n_steps() const { return static_cast<int>(state_.schedule.steps.size()); }
  int& place(NodeId id, DeviceId device) {
    return memory_.place[static_cast<std::size_t>(device)][static_cast<std::size_t>(id)];
  }

  int new_buffer(PlannedBuffer buffer) {
    buffer.bytes = round_up(buffer.bytes);
    memory_.buffers.push_back(buffer);
    return static_cast<int>(memory_.buffers.size()) - 1;
  }

  // The copy reads the maker's buffer before step split.first, so its contents matter until then.
  void copy_in(const Transfer& transfer, const PlannedSplit& split) {
    extend(transfer.value, transfer.from, split.first);
    place(transfer.value, split.device) =
        new_buffer({split.device, tensor_bytes(node(transfer.value).out), split.first, split.first});
  }

  void execute(int step) {
    const NodeId id = state_.schedule.steps[static_cast<std::size_t>(step)];
    const Node& n = node(id);
    for (NodeId input : n.inputs) read(input, n.device, step);
    if (has_bytes(n)) place(id, n.device) = new_buffer({n.device, tensor_bytes(n.out), step, step});
    const std::size_t workspace = state_.plans[static_cast<std::size_t>(id)].workspace_bytes;
    memory_.workspace.push_back(workspace ? new_buffer({n.device, workspace, step, step}) : -1);
  }

  void read(NodeId value, DeviceId device, int step) {
    const NodeId root = state_.schedule.roots[static_cast<std::size_t>(value)].root;
    if (!has_bytes(node(root))) return;
    if (!is_executed(node(root).op)) hold_input(root, device);
    extend(root, device, step);
  }

  void hold_input(NodeId input, DeviceId device) {
    if (place(input, device) >= 0) return;
    place(input, device) = new_buffer({device, tensor_bytes(node(input).out), 0, n_steps(), true});
  }

  void extend(NodeId root, DeviceId device, int step) {
    PlannedBuffer& buffer = memory_.buffers[static_cast<std::size_t>(place(root, device))];
    buffer.last = std::max(buffer.last, step);
  }

  void keep_outputs() {
    for (NodeId output : state_.graph.outputs) {
      const NodeId root = state_.schedule.roots[static_cast<std::size_t>(output)].root;
      read(root, node(root).device, n_steps());
    }
  }

  CompileState& state_;
  MemoryPlan& memory_;
};

}  // namespace

int find_liveness(CompileState& state) {
  LivenessPass(state).run();
  return static_cast<int>(state.memory.buffers.size());
}

}  // namespace minfer
