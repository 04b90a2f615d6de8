#include "configurations.h"

#include "backends/reference/reference_backend.h"

namespace minfer::test {

const std::vector<BackendConfigurations>& backends_under_test() {
  static const std::vector<BackendConfigurations> all = {
      {"reference", {{"reference", [] { return std::make_unique<ReferenceBackend>(); }}}}};
  return all;
}

}  // namespace minfer::test
