#include "cli/likelihood.h"

#include <algorithm>
#include <cmath>

namespace minfer::cli {

double negative_log_likelihood(std::span<const float> logits, TokenId token) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit - highest);
  return highest + std::log(sum) - logits[static_cast<std::size_t>(token)];
}

}  // namespace minfer::cli
