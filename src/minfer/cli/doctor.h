#pragma once

#include "cli/command.h"

namespace minfer::cli {

CommandBody declare_doctor(CLI::App& parser);

}  // namespace minfer::cli
