#pragma once

#include <span>

#include "minfer/model.h"

namespace minfer::cli {

// -ln of the probability that the softmax of `logits` gives to `token`, in double precision.
double negative_log_likelihood(std::span<const float> logits, TokenId token);

}  // namespace minfer::cli
