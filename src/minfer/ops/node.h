// A node of the compute graph: plain data. graph/ builds and rewrites nodes; backends read them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/op_list.h"

namespace minfer {

using NodeId = std::int32_t;    // index into the graph's node list, which is in topological order
using WeightId = std::int32_t;  // index into the graph's weight list
using DeviceId = std::int32_t;  // index into the list of devices the graph is compiled for; -1 = none yet

// A tensor of the model file that the graph reads.
struct WeightRef {
  std::string name;  // "blk.3.ffn_gate.weight"
  TensorDesc desc;
};

struct Node {
  Op op;
  TensorDesc out;
  std::vector<NodeId> inputs;
  std::vector<WeightId> weights;
  std::string label;  // "blk.3.ffn_gate"
  DeviceId device = -1;
};

}  // namespace minfer
