#include "cli/version.h"

#include <fmt/core.h>

#include "base/cpu_features.h"
#include "base/levers.h"
#include "minfer/engine.h"

namespace minfer::cli {

std::string version_text() { return MINFER_VERSION; }

namespace {

// Not by fmt::join: GCC 12 then warns, wrongly, of an overflow in fmt.
std::string backend_list() {
  std::string list;
  for (const auto& name : built_backends()) {
    if (!list.empty()) list += ", ";
    list += name;
  }
  return list;
}

}  // namespace

std::string version_report() {
  const CpuFeatures features = allowed_cpu_features(detect_cpu_features(), levers());
  return fmt::format(
      "minfer {} (build {}, {})\ncompiler: {}\nprocessor: {}\ninstruction sets: {}\nbackends: {}\n",
      version_text(), build_commit(), build_number(), __VERSION__, cpu_name(), to_string(features),
      backend_list());
}

}  // namespace minfer::cli
