// Gives out arena offsets: buffers whose lives do not meet may lie over each other.
#pragma once

#include "graph/compile_state.h"

namespace minfer {

// Places every buffer of one list, per device: inputs first (a region of their own, alive throughout), then
// the others from the largest to the smallest, each in the tightest gap between those alive at the same time.
// Sets arena_bytes. Returns the number of buffers placed.
int place_buffers(MemoryPlan& memory);

int allocate(CompileState& state);

}  // namespace minfer
