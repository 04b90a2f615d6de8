// Puts in a Quantize node wherever a planned kernel reads activations of another type than the value has. All
// readers on a device that want the same type of the same value share one node.
#pragma once

#include "graph/compile_state.h"

namespace minfer {

// Returns the number of Quantize nodes inserted.
int lower_quantize(CompileState& state);

}  // namespace minfer
