#include "graph/in_place.h"

#include <algorithm>

namespace minfer {
namespace {

int buffer_of(const CompileState& state, NodeId value, DeviceId device) {
  const NodeId root = state.schedule.roots[static_cast<std::size_t>(value)].root;
  return state.memory.place[static_cast<std::size_t>(device)][static_cast<std::size_t>(root)];
}

bool is_read_by_another_input(const CompileState& state, const Node& node, int index, int buffer) {
  for (int i = 0; i < static_cast<int>(node.inputs.size()); ++i)
    if (i != index && buffer_of(state, node.inputs[static_cast<std::size_t>(i)], node.device) == buffer)
      return true;
  return false;
}

// The buffer that the step's result may take over, or -1.
int buffer_to_take(const CompileState& state, int step, const Node& node) {
  const int index = in_place_input(node.op);
  if (index < 0) return -1;
  const NodeId input = node.inputs[static_cast<std::size_t>(index)];
  if (state.graph.nodes[static_cast<std::size_t>(input)].out != node.out) return -1;
  const NodeId root = state.schedule.roots[static_cast<std::size_t>(input)].root;
  // A view of part of a buffer is left alone: a result that starts inside a buffer would need an offset of
  // its own.
  if (tensor_bytes(state.graph.nodes[static_cast<std::size_t>(root)].out) != tensor_bytes(node.out))
    return -1;
  const int buffer = buffer_of(state, input, node.device);
  if (state.memory.buffers[static_cast<std::size_t>(buffer)].last != step) return -1;
  return is_read_by_another_input(state, node, index, buffer) ? -1 : buffer;
}

}  // namespace

int alias_in_place(CompileState& state) {
  int shared = 0;
  for (int step = 0; step < static_cast<int>(state.schedule.steps.size()); ++step) {
    const NodeId id = state.schedule.steps[static_cast<std::size_t>(step)];
    const Node& node = state.graph.nodes[static_cast<std::size_t>(id)];
    const int taken = buffer_to_take(state, step, node);
    if (taken < 0) continue;
    int& place = state.memory.place[static_cast<std::size_t>(node.device)][static_cast<std::size_t>(id)];
    PlannedBuffer& own = state.memory.buffers[static_cast<std::size_t>(place)];
    PlannedBuffer& input = state.memory.buffers[static_cast<std::size_t>(taken)];
    input.last = std::max(input.last, own.last);
    own.bytes = 0;  // nothing lies in it any more
    place = taken;
    ++shared;
  }
  return shared;
}

}  // namespace minfer
