// The order of execution: the nodes that run, cut into splits of one device, and the copies between devices.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace minfer {

// Where the bytes of a node's result are: `offset` bytes into the result of `root`, which is no alias.
struct AliasRoot {
  NodeId root = -1;
  std::size_t offset = 0;
};
// By node; a node that is no alias is its own root.
std::vector<AliasRoot> alias_roots(const Graph& graph);

// A value that a split reads and another device made. It is copied once per device, before the first split
// there that reads it. Values are alias roots; inputs are written to every device that reads them and never
// copied.
struct Transfer {
  NodeId value = -1;
  DeviceId from = -1;
};

struct PlannedSplit {
  DeviceId device = -1;
  int first = 0;  // steps [first, last)
  int last = 0;
  std::vector<Transfer> transfers;  // before the split
};

struct Schedule {
  std::vector<AliasRoot> roots;  // by node
  std::vector<NodeId> steps;     // nodes to execute, in order; a "step" elsewhere is an index into this list
  std::vector<PlannedSplit> splits;
};

Schedule make_schedule(const Graph& graph);

// Whether the node's result takes memory (the order-only handle of KvStore does not).
bool has_bytes(const Node& node);

}  // namespace minfer
