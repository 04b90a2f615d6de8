// Lets a node write over the input that it consumes: where the op allows it (kInPlaceInput), both have the
// same type and shape, the input's buffer dies with this step, and no other input of the node lies in it.
#pragma once

#include "graph/compile_state.h"

namespace minfer {

// Returns the number of values that took over a buffer. REQUIRES: find_liveness has run and offsets are not
// given out.
int alias_in_place(CompileState& state);

}  // namespace minfer
