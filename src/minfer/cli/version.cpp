#include "cli/version.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include "base/cpu_features.h"
#include "base/levers.h"
#include "minfer/engine.h"

namespace minfer::cli {

std::string version_text() { return MINFER_VERSION; }

std::string version_report() {
  const CpuFeatures features = allowed_cpu_features(detect_cpu_features(), levers());
  return fmt::format(
      "minfer {} (build {}, {})\ncompiler: {}\nprocessor: {}\ninstruction sets: {}\nbackends: {}\n",
      version_text(), build_commit(), build_number(), __VERSION__, cpu_name(), to_string(features),
      fmt::join(built_backends(), ", "));
}

}  // namespace minfer::cli
