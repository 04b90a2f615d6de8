// An Attn node as kernels are launched with it: what the candidates share.
#pragma once

#include <string>

#include "backends/cuda/attention/args.h"
#include "backends/cuda/kernel_table.h"

namespace minfer::cuda {

AttentionArgs attention_args(const Launch& launch);
// What no kernel of attention runs.
std::string refuse_attention(const PlanContext& context);
// Bytes and flops, for a context that is full.
void plan_attention(const PlanContext& context, Plan& plan);

}  // namespace minfer::cuda
