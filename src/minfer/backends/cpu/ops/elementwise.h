// Ops that treat each value alone. Their work is shared out by values, so that one long row uses every worker
// too.
#pragma once

#include "backends/cpu/kernel_table.h"

namespace minfer {

// out = f(x, y): input 0 and input 1, or each row of input 0 and weight 0.
void run_binary(const Launch& launch, void (*row)(const float*, const float*, float*, std::int64_t));
// out = f(x).
void run_unary(const Launch& launch, void (*row)(const float*, float*, std::int64_t));

}  // namespace minfer
