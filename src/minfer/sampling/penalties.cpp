#include "sampling/penalties.h"

#include <fmt/core.h>

#include <unordered_map>

namespace minfer {

void PenaltyStep::apply(Candidates& candidates, std::span<const TokenId> history) const {
  if (params_.last_n >= 0 && history.size() > static_cast<std::size_t>(params_.last_n))
    history = history.last(static_cast<std::size_t>(params_.last_n));
  std::unordered_map<TokenId, int> counts;
  for (const TokenId id : history) ++counts[id];
  for (const auto& [id, count] : counts) {
    if (id < 0 || static_cast<std::size_t>(id) >= candidates.items().size()) continue;
    float& logit = candidates.of(id).logit;
    logit = logit > 0 ? logit / params_.repeat : logit * params_.repeat;
    logit -= static_cast<float>(count) * params_.frequency + params_.presence;
  }
}

std::string PenaltyStep::description() const {
  return fmt::format("penalties (repeat {}, frequency {}, presence {}, last {})", params_.repeat,
                     params_.frequency, params_.presence, params_.last_n);
}

}  // namespace minfer
