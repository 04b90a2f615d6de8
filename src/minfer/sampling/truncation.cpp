#include "sampling/truncation.h"

#include <fmt/core.h>

namespace minfer {

void TopKStep::apply(Candidates& candidates, std::span<const TokenId>) const {
  candidates.keep_highest(static_cast<std::size_t>(k_));
}

std::string TopKStep::description() const { return fmt::format("top_k {}", k_); }

void TopPStep::apply(Candidates& candidates, std::span<const TokenId>) const {
  const double wanted = double{p_} * candidates.weigh();
  double sum = 0;
  std::size_t kept = 0;
  do sum += candidates.items()[kept++].weight;
  while (kept < candidates.items().size() && sum < wanted);
  candidates.keep_highest(kept);
}

std::string TopPStep::description() const { return fmt::format("top_p {}", p_); }

void MinPStep::apply(Candidates& candidates, std::span<const TokenId>) const {
  candidates.weigh();  // the likeliest weighs 1
  std::size_t kept = 1;
  while (kept < candidates.items().size() && candidates.items()[kept].weight >= double{p_}) ++kept;
  candidates.keep_highest(kept);
}

std::string MinPStep::description() const { return fmt::format("min_p {}", p_); }

}  // namespace minfer
