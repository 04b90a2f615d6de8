// Ctrl-C: the first one asks the running command to stop, the second one ends the process at once.
#pragma once

#include <stop_token>

namespace minfer::cli {

// Stopped by the first SIGINT or SIGTERM. The first call installs the handling; until then signals end the process
// as usual, which suits commands that have nothing to save. REQUIRES: called before other threads are started.
std::stop_token interrupt_token();

}  // namespace minfer::cli
