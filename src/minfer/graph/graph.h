// The compute graph of a forward pass: nodes in topological order, the model's tensors that they read, and
// the results wanted. Plain data; GraphBuilder makes it, passes rewrite it, compile() turns it into something
// to run.
#pragma once

#include <vector>

#include "backends/backend.h"
#include "ops/node.h"

namespace minfer {

struct Graph {
  ModelId model = 0;
  std::vector<Node> nodes;
  std::vector<WeightRef> weights;
  std::vector<NodeId> outputs;  // kept readable after a run; in the order the builder marked them
};

}  // namespace minfer
