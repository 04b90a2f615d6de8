#include "sampling/logit_bias.h"

#include <fmt/core.h>

namespace minfer {

void LogitBiasStep::apply(Candidates& candidates, std::span<const TokenId>) const {
  for (const auto& [id, bias] : biases_) candidates.of(id).logit += bias;
}

std::string LogitBiasStep::description() const {
  return fmt::format("logit bias ({} tokens)", biases_.size());
}

}  // namespace minfer
