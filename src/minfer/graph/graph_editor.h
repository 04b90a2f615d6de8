// Rewrites a graph: insertions, redirections and removals, then one commit that restores the topological
// order. Ids stay valid until the commit, which renumbers the nodes.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace minfer {

class GraphEditor {
 public:
  explicit GraphEditor(Graph& graph);  // `graph` must outlive the editor and is in disorder until commit

  const Graph& graph() const { return graph_; }
  NodeId size() const { return static_cast<NodeId>(graph_.nodes.size()); }
  const Node& node(NodeId id) const { return graph_.nodes[static_cast<std::size_t>(id)]; }
  bool is_erased(NodeId id) const { return erased_[static_cast<std::size_t>(id)]; }
  // The node's op if it is a T, else null (also for id -1).
  template <class T>
  const T* get_if(NodeId id) const {
    return id < 0 ? nullptr : std::get_if<T>(&node(id).op);
  }

  // Nodes that read the value, one entry a use.
  std::span<const NodeId> users(NodeId id) const { return users_[static_cast<std::size_t>(id)]; }
  bool is_output(NodeId id) const;
  // The node that makes the only use of the value, or -1 where there are more or none or where it is an
  // output.
  NodeId only_user(NodeId id) const;

  // Adds a node that takes the place of `position` in the order, as far as its inputs and readers allow.
  NodeId insert(Node node, NodeId position);
  void set_op(NodeId id, Op op, const TensorDesc& out);
  void set_input(NodeId user, std::size_t index, NodeId value);
  // Makes every reader of `from`, the graph's outputs included, read `to`.
  void replace_uses(NodeId from, NodeId to);
  void erase(NodeId id);  // REQUIRES: nothing reads it any more

  // Puts the graph in order, without what was erased. The editor is of no use afterwards.
  void commit();

 private:
  std::vector<NodeId> topological_order() const;

  Graph& graph_;
  std::vector<std::vector<NodeId>> users_;
  std::vector<NodeId> position_;  // wanted place: an original id
  std::vector<bool> erased_;
};

}  // namespace minfer
