#pragma once

#include "cli/command.h"

namespace minfer::cli {

CommandBody declare_run(CLI::App& parser);

}  // namespace minfer::cli
