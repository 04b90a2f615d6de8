// An Attn node as kernels are launched with it: what the candidates share.
#pragma once

#include <string>

#include "backends/cuda/attention/args.h"
#include "backends/cuda/kernel_table.h"

namespace minfer::cuda {

AttentionArgs attention_args(const Launch& launch);
// What no kernel of attention runs. Attn::output may be kQ8Row32: a kernel that cannot quantize its result refuses
// with refuse_quantized instead, and a Quantize node follows it.
std::string refuse_attention(const PlanContext& context);
std::string refuse_quantized(const PlanContext& context);
// Bytes and flops, for a context that is full.
void plan_attention(const PlanContext& context, Plan& plan);

}  // namespace minfer::cuda
