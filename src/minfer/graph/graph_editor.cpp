#include "graph/graph_editor.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "base/check.h"

namespace minfer {

GraphEditor::GraphEditor(Graph& graph)
    : graph_(graph), users_(graph.nodes.size()), erased_(graph.nodes.size(), false) {
  for (NodeId id = 0; id < size(); ++id) {
    position_.push_back(id);
    for (NodeId input : node(id).inputs) users_[static_cast<std::size_t>(input)].push_back(id);
  }
}

bool GraphEditor::is_output(NodeId id) const {
  return std::ranges::find(graph_.outputs, id) != graph_.outputs.end();
}

NodeId GraphEditor::only_user(NodeId id) const {
  const std::span<const NodeId> all = users(id);
  return all.size() == 1 && !is_output(id) ? all[0] : -1;
}

NodeId GraphEditor::insert(Node node, NodeId position) {
  const NodeId id = size();
  for (NodeId input : node.inputs) users_[static_cast<std::size_t>(input)].push_back(id);
  graph_.nodes.push_back(std::move(node));
  users_.emplace_back();
  position_.push_back(position_[static_cast<std::size_t>(position)]);
  erased_.push_back(false);
  return id;
}

void GraphEditor::set_op(NodeId id, Op op, const TensorDesc& out) {
  Node& changed = graph_.nodes[static_cast<std::size_t>(id)];
  changed.op = std::move(op);
  changed.out = out;
}

void GraphEditor::set_input(NodeId user, std::size_t index, NodeId value) {
  NodeId& input = graph_.nodes[static_cast<std::size_t>(user)].inputs.at(index);
  std::vector<NodeId>& old_users = users_[static_cast<std::size_t>(input)];
  old_users.erase(std::ranges::find(old_users, user));
  users_[static_cast<std::size_t>(value)].push_back(user);
  input = value;
}

void GraphEditor::replace_uses(NodeId from, NodeId to) {
  const std::vector<NodeId> readers(users(from).begin(), users(from).end());
  for (NodeId reader : readers) {
    const std::vector<NodeId>& inputs = node(reader).inputs;
    set_input(reader, static_cast<std::size_t>(std::ranges::find(inputs, from) - inputs.begin()), to);
  }
  std::ranges::replace(graph_.outputs, from, to);
}

void GraphEditor::erase(NodeId id) {
  MINFER_CHECK(users(id).empty() && !is_output(id), "{} is erased while it is read", node(id).label);
  for (NodeId input : node(id).inputs) {
    std::vector<NodeId>& readers = users_[static_cast<std::size_t>(input)];
    readers.erase(std::ranges::find(readers, id));
  }
  graph_.nodes[static_cast<std::size_t>(id)].inputs.clear();
  erased_[static_cast<std::size_t>(id)] = true;
}

// Kahn's algorithm; of the nodes that are ready, the one with the lowest wanted place comes first, so that a
// graph that is in order keeps it.
std::vector<NodeId> GraphEditor::topological_order() const {
  using Entry = std::pair<NodeId, NodeId>;  // wanted place, id
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  std::vector<std::size_t> missing(graph_.nodes.size());
  for (NodeId id = 0; id < size(); ++id) {
    missing[static_cast<std::size_t>(id)] = node(id).inputs.size();
    if (node(id).inputs.empty() && !is_erased(id)) ready.emplace(position_[static_cast<std::size_t>(id)], id);
  }
  std::vector<NodeId> order;
  while (!ready.empty()) {
    const NodeId id = ready.top().second;
    ready.pop();
    order.push_back(id);
    for (NodeId user : users(id))
      if (--missing[static_cast<std::size_t>(user)] == 0)
        ready.emplace(position_[static_cast<std::size_t>(user)], user);
  }
  return order;
}

void GraphEditor::commit() {
  const std::vector<NodeId> order = topological_order();
  const auto kept = static_cast<std::size_t>(std::ranges::count(erased_, false));
  MINFER_CHECK(order.size() == kept, "a cycle: {} of {} nodes can be ordered", order.size(), kept);
  std::vector<NodeId> new_id(graph_.nodes.size(), -1);
  std::vector<Node> nodes;
  nodes.reserve(kept);
  for (NodeId id : order) {
    new_id[static_cast<std::size_t>(id)] = static_cast<NodeId>(nodes.size());
    nodes.push_back(std::move(graph_.nodes[static_cast<std::size_t>(id)]));
  }
  for (Node& n : nodes)
    for (NodeId& input : n.inputs) input = new_id[static_cast<std::size_t>(input)];
  for (NodeId& output : graph_.outputs) output = new_id[static_cast<std::size_t>(output)];
  graph_.nodes = std::move(nodes);
}

}  // namespace minfer
