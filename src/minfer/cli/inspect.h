// minfer inspect: what a GGUF file holds. Any valid file, also of models and tensor types that cannot be run.
#pragma once

#include <filesystem>
#include <iosfwd>

#include "cli/command.h"

namespace minfer::cli {

struct InspectOptions {
  std::filesystem::path model;
  bool json = false;  // one JSON object instead of text; arrays in full, bytes that are not UTF-8 as U+FFFD
};

// Prints metadata (long arrays and strings abbreviated, control characters escaped), tensors (name, type, shape
// outermost first, bytes, offset in the file) and totals. Throws what File::open throws.
void inspect(const InspectOptions& options, std::ostream& out);

CommandBody declare_inspect(CLI::App& parser);

}  // namespace minfer::cli
