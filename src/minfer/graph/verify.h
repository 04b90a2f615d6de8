// The spec of legal graphs. Each stage of a compilation adds rules; all rules of earlier stages stay.
//
//   built      inputs come before their readers; ids exist; results are what the ops' shape rules say; at most
//              one Input of a role (kOther excepted); one store of a layer's KV cells at most, and Attn names it
//   assigned   each node has a device; KV nodes of a layer share one; fused ops only where the device
//              supports them
//   planned    each executed node has a supported plan that reads its input as it is
//   scheduled  the splits cover the steps, each of one device
//   allocated  what is alive at the same time does not overlap; everything that is read has a place
#pragma once

#include "graph/compile_state.h"

namespace minfer {

// Throws InternalError naming the node and the rule that it breaks.
void verify(const CompileState& state);

// The rules of stage `built` alone.
void verify_graph(const Graph& graph);

}  // namespace minfer
