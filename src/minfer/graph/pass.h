// The one runner that every step of a compilation goes through: it skips what is disabled, times the rest and
// verifies the graph after each.
#pragma once

#include <functional>

#include "graph/compile_state.h"

namespace minfer {

struct Pass {
  std::string_view name;
  bool optional = false;                  // the graph still runs, with the same results, without it
  Stage reached = Stage::kBuilt;          // the stage that holds when it has run
  std::function<int(CompileState&)> run;  // returns the number of changes made
};

// Runs the passes in order. Throws InvalidRequestError where `disabled` names a pass that does not exist or
// that cannot be left out, InternalError where a pass leaves an illegal graph behind (the message names the
// pass).
void run_passes(std::span<const Pass> passes, std::span<const std::string> disabled, CompileState& state);

}  // namespace minfer
