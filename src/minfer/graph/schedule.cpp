#include "graph/schedule.h"

#include <set>

#include "graph/node_kind.h"

namespace minfer {
namespace {

std::size_t alias_offset(const Graph& graph, const Node& node) {
  const View* view = std::get_if<View>(&node.op);
  if (!view) return 0;
  const TensorDesc& source = graph.nodes[static_cast<std::size_t>(node.inputs[0])].out;
  return row_bytes(source.dtype, source.shape.cols()) * static_cast<std::size_t>(view->first_row);
}

void cut_into_splits(const Graph& graph, Schedule& schedule) {
  const auto n_steps = static_cast<int>(schedule.steps.size());
  for (int step = 0; step < n_steps; ++step) {
    const DeviceId device =
        graph.nodes[static_cast<std::size_t>(schedule.steps[static_cast<std::size_t>(step)])].device;
    if (schedule.splits.empty() || schedule.splits.back().device != device)
      schedule.splits.push_back({device, step, step, {}});
    schedule.splits.back().last = step + 1;
  }
}

// Values that a node reads and another device makes.
std::vector<Transfer> foreign_inputs(const Graph& graph, const Schedule& schedule, const Node& node) {
  std::vector<Transfer> result;
  for (NodeId input : node.inputs) {
    const NodeId root = schedule.roots[static_cast<std::size_t>(input)].root;
    const Node& maker = graph.nodes[static_cast<std::size_t>(root)];
    if (maker.device != node.device && has_bytes(maker) && is_executed(maker.op))
      result.push_back({root, maker.device});
  }
  return result;
}

void find_transfers(const Graph& graph, Schedule& schedule) {
  std::set<std::pair<NodeId, DeviceId>> present;
  for (PlannedSplit& split : schedule.splits) {
    for (int step = split.first; step < split.last; ++step) {
      const Node& node =
          graph.nodes[static_cast<std::size_t>(schedule.steps[static_cast<std::size_t>(step)])];
      for (const Transfer& transfer : foreign_inputs(graph, schedule, node))
        if (present.emplace(transfer.value, split.device).second) split.transfers.push_back(transfer);
    }
  }
}

}  // namespace

std::vector<AliasRoot> alias_roots(const Graph& graph) {
  std::vector<AliasRoot> roots;
  roots.reserve(graph.nodes.size());
  for (const Node& node : graph.nodes) {
    AliasRoot root{static_cast<NodeId>(roots.size()), 0};
    if (is_alias(node.op)) {
      root = roots[static_cast<std::size_t>(node.inputs[0])];
      root.offset += alias_offset(graph, node);
    }
    roots.push_back(root);
  }
  return roots;
}

Schedule make_schedule(const Graph& graph) {
  Schedule schedule;
  schedule.roots = alias_roots(graph);
  for (NodeId id = 0; id < static_cast<NodeId>(graph.nodes.size()); ++id)
    if (is_executed(graph.nodes[static_cast<std::size_t>(id)].op)) schedule.steps.push_back(id);
  cut_into_splits(graph, schedule);
  find_transfers(graph, schedule);
  return schedule;
}

bool has_bytes(const Node& node) { return node.out.dtype != DType::kHandle; }

}  // namespace minfer
