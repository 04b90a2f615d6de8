#include "cli/diagnostics.h"

#include <fmt/core.h>

namespace minfer::cli {

void report_diagnostics(Engine& engine) {
  if (const std::string table = engine.take_op_timing(); !table.empty()) fmt::print(stderr, "{}", table);
}

}  // namespace minfer::cli
