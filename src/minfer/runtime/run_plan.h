// A compiled graph as the public API describes it.
#pragma once

#include "graph/compiled_graph.h"
#include "minfer/engine.h"

namespace minfer {

RunPlan run_plan(const CompiledGraph& graph);

}  // namespace minfer
