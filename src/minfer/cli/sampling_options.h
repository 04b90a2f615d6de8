#pragma once

#include <string>
#include <vector>

#include "minfer/sampling.h"

namespace CLI {
class App;
}

namespace minfer::cli {

struct SamplingOptions {
  SamplingParams params;
  std::vector<std::string> logit_bias;  // "ID=BIAS"
};

void add_sampling_options(CLI::App& parser, SamplingOptions& options);
// The parameters with logit_bias parsed. Throws UsageError for a malformed one.
SamplingParams sampling_params(const SamplingOptions& options);

}  // namespace minfer::cli
