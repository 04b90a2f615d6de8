// Asks each node's device for the plan that execution will use, now that the graph has its final form.
#pragma once

#include "graph/compile_state.h"

namespace minfer {

// Returns the number of nodes planned. Throws UnsupportedError naming a node that its device refuses.
int plan_nodes(CompileState& state);

}  // namespace minfer
