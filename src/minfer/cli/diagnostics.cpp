#include "cli/diagnostics.h"

#include <string>

#include "cli/output.h"

namespace minfer::cli {

void report_diagnostics(Engine& engine) {
  if (const std::string table = engine.take_op_timing(); !table.empty()) print_diagnostics(table);
}

}  // namespace minfer::cli
