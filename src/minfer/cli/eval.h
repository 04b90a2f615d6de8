#pragma once

#include "cli/command.h"

namespace minfer::cli {

CommandBody declare_eval(CLI::App& parser);

}  // namespace minfer::cli
