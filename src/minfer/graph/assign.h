// Gives each node its device, once: in order of preference, the first device whose plan supports a node wins
// it.
//
// A device other than the last takes part only where every weight that the graph reads is registered on it
// and can be planned in its role; otherwise it gets nothing and the first offending tensor is reported. The
// nodes of a layer that touch the KV cache go to one device together.
#pragma once

#include "graph/compile_state.h"

namespace minfer {

// Returns the number of nodes assigned. Throws UnsupportedError where the last device cannot run a node.
int assign(CompileState& state);

}  // namespace minfer
