// Finds what has to be in memory when: a buffer for each value on each device that holds it, and for
// workspaces.
#pragma once

#include "graph/compile_state.h"

namespace minfer {

// Fills state.memory, offsets excepted. Returns the number of buffers.
int find_liveness(CompileState& state);

}  // namespace minfer
