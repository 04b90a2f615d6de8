#include "cli/version.h"

#include <fmt/core.h>

#include "base/cpu_features.h"
#include "base/levers.h"

namespace minfer::cli {

std::string version_text() { return MINFER_VERSION; }

std::string version_report() {
  const CpuFeatures features = allowed_cpu_features(detect_cpu_features(), levers());
  return fmt::format(
      "minfer {} (build {}, {})\ncompiler: {}\nprocessor: {}\ninstruction sets: {}\nbackends: cpu, "
      "reference\n",
      version_text(), build_commit(), build_number(), __VERSION__, cpu_name(), to_string(features));
}

}  // namespace minfer::cli
