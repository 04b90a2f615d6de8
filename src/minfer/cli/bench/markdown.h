// The table that people read and paste.
#pragma once

#include <memory>

#include "cli/bench/printer.h"

namespace minfer::cli {

std::unique_ptr<BenchPrinter> make_markdown_printer(const BenchOptions& options);

}  // namespace minfer::cli
