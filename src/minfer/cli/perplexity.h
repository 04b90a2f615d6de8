#pragma once

#include "cli/command.h"

namespace minfer::cli {

CommandBody declare_perplexity(CLI::App& parser);

}  // namespace minfer::cli
