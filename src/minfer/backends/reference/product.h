// The matrix product that MatMul and the ops fused from it are made of.
#pragma once

#include <vector>

#include "backends/reference/call.h"

namespace minfer::reference {

// Input 0 (n_tokens, k) of any activation type with a weight (n_out, k) of any type: a row of n_out values a token.
std::vector<std::vector<float>> product(const Call& call, int weight);

}  // namespace minfer::reference
