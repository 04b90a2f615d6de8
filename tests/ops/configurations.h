// The backends that op cases run on, each in every configuration that must give the same bits: instruction sets and
// thread counts.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"

namespace minfer::test {

struct Configuration {
  std::string name;  // "cpu avx2, 3 threads"
  std::function<std::unique_ptr<Backend>()> make;
};

// Configurations of one backend agree bit for bit.
struct BackendConfigurations {
  std::string backend;
  std::vector<Configuration> configurations;
};

// Those that this machine can run. The reference comes first.
const std::vector<BackendConfigurations>& backends_under_test();

}  // namespace minfer::test
