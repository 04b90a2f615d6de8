// Attention on the tensor cores as candidates of its node.
#include <fmt/core.h>

#include "backends/cuda/attention/candidates.h"
#include "backends/cuda/attention/node.h"
#include "backends/cuda/attention/tensor_core.h"
#include "ops/attn.h"

namespace minfer::cuda {
namespace {

std::string refuse_both(const PlanContext& context) {
  const KvGeometry& kv = context.op<Attn>().kv;
  if (!tensor_core_attention_supported(context.limits, kv.cell, kv.head_dim)) {
    return fmt::format("needs compute capability 8.0 and the shared memory for heads of {}", kv.head_dim);
  }
  return refuse_attention(context);
}

std::string refuse_prefill(const PlanContext& context) {
  const std::string reason = refuse_both(context);
  return reason.empty() ? refuse_quantized(context) : reason;
}

std::string refuse_decode(const PlanContext& context) {
  if (context.n_tokens() > kMaxDecodeTokens) return fmt::format("more than {} tokens", kMaxDecodeTokens);
  const auto& op = context.op<Attn>();
  if (op.output != DType::kF32 && op.kv.head_dim % 32 != 0)
    return "quantized heads that are no whole groups of 32";
  return refuse_both(context);
}

void plan_prefill(const PlanContext& context, Plan& plan) {
  const KvGeometry& kv = context.op<Attn>().kv;
  plan_attention(context, plan);
  if (kv.cell != DType::kF32) plan.rounding = 0x1p-9;  // queries and probabilities, of sums of either sign
  prepare_prefill_attention(kv.cell, kv.head_dim);
}

void plan_decode(const PlanContext& context, Plan& plan) {
  const auto& op = context.op<Attn>();
  plan_attention(context, plan);
  plan.workspace_bytes = decode_attention_workspace(context.n_tokens(), op.n_head, op.kv.head_dim);
  prepare_decode_attention(op.kv.cell, op.kv.head_dim);
}

bool can_overlap(const Launch& launch) { return launch.limits.compute_capability >= 90; }

void launch_prefill(const Launch& launch) {
  launch_prefill_attention(attention_args(launch), can_overlap(launch), launch.stream);
}

void launch_decode(const Launch& launch) {
  launch_decode_attention(attention_args(launch), can_overlap(launch), launch.stream);
}

}  // namespace

const Candidate kDecodeAttention = {"attn_decode", refuse_decode, plan_decode, launch_decode};
const Candidate kPrefillAttention = {"attn_prefill", refuse_prefill, plan_prefill, launch_prefill};

}  // namespace minfer::cuda
