// What the developer levers ask to be told at the end of a command.
#pragma once

#include "minfer/engine.h"

namespace minfer::cli {

// Prints the table of MINFER_OP_TIMING to stderr where it is set.
void report_diagnostics(Engine& engine);

}  // namespace minfer::cli
