#pragma once

#include "cli/command.h"

namespace minfer::cli {

CommandBody declare_bench(CLI::App& parser);

}  // namespace minfer::cli
