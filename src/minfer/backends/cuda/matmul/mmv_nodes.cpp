// The matrix-vector kernels as candidates of their nodes.
#include <algorithm>

#include <fmt/core.h>

#include "backends/cuda/matmul/candidates.h"
#include "backends/cuda/matmul/mmv_float.h"
#include "backends/cuda/matmul/mmvq.h"
#include "backends/cuda/matmul/node.h"
#include "backends/cuda/ops/refuse.h"
#include "backends/cuda/ops/rows.h"
#include "ops/fused_ffn.h"

namespace minfer::cuda {
namespace {

bool is_k_quant(DType type) { return type == DType::kQ4_K || type == DType::kQ5_K || type == DType::kQ6_K; }

bool can_overlap(const Launch& launch) { return launch.limits.compute_capability >= 90; }

bool few_tokens(const PlanContext& context) { return context.n_tokens() <= kMmvqMaxTokens; }

std::string refuse_mmvq(const PlanContext& context) {
  for (const DeviceWeight& w : context.weights) {
    if (!mmvq_supported(w.desc.dtype, w.matrix.layout))
      return fmt::format("weights of type {}", dtype_name(w.desc.dtype));
    if (context.options.no_kq_mmvq && is_k_quant(w.desc.dtype)) return "MINFER_NO_KQ_MMVQ";
  }
  return {};
}

std::string refuse_few_mmvq(const PlanContext& context) {
  return few_tokens(context) ? refuse_mmvq(context) : fmt::format("more than {} tokens", kMmvqMaxTokens);
}

std::string refuse_mmvq_ffn(const PlanContext& context) {
  const WeightMatrix &gate = context.weights[0].matrix, &up = context.weights[1].matrix;
  if (gate.type != up.type || gate.layout != up.layout) return "gate and up of different types";
  const std::string reason = refuse_few_mmvq(context);
  return reason.empty() ? refuse_output(context.op<FusedFFN>().output, context.spec.output.shape.cols())
                        : reason;
}

void plan_mmvq(const PlanContext& context, Plan& plan) { plan_product(context, DType::kQ8Row32, plan); }

void launch_mmvq_node(const Launch& launch) {
  launch_mmvq(matmul_args(launch), can_overlap(launch), launch.stream);
}

using LaunchVector = void (*)(const MatmulArgs& args, bool overlap, cudaStream_t stream);

void launch_in_turns(const Launch& launch, LaunchVector launch_some, std::int64_t max_tokens) {
  MatmulArgs args = matmul_args(launch);
  const std::int64_t n_tokens = args.n_tokens;
  for (std::int64_t done = 0; done < n_tokens; done += args.n_tokens) {
    args.n_tokens = std::min(n_tokens - done, max_tokens);
    launch_some(args, can_overlap(launch), launch.stream);
    args.x = static_cast<const std::byte*>(args.x) + args.n_tokens * args.x_stride;
    args.out += args.n_tokens * args.n_out;
    if (args.residual) args.residual += args.n_tokens * args.n_out;
  }
}

void launch_mmvq_turns(const Launch& launch) { launch_in_turns(launch, launch_mmvq, kMmvqMaxTokens); }

void launch_float_turns(const Launch& launch) {
  launch_in_turns(launch, launch_mmv_float, kMmvFloatMaxTokens);
}

void launch_mmvq_ffn_node(const Launch& launch) {
  launch_mmvq_ffn(ffn_args(launch), can_overlap(launch), launch.stream);
}

std::string refuse_float_type(const PlanContext& context) {
  for (const DeviceWeight& w : context.weights) {
    if (!mmv_float_supported(w.desc.dtype))
      return fmt::format("weights of type {}", dtype_name(w.desc.dtype));
    if (w.matrix.k % 8 != 0) return fmt::format("{} columns", w.matrix.k);
  }
  return {};
}

std::string refuse_float(const PlanContext& context) {
  if (context.n_tokens() > kMmvFloatMaxTokens) return fmt::format("more than {} tokens", kMmvFloatMaxTokens);
  return refuse_float_type(context);
}

std::string refuse_float_ffn(const PlanContext& context) {
  const std::string reason = refuse_float(context);
  return reason.empty() ? refuse_output(context.op<FusedFFN>().output, context.spec.output.shape.cols())
                        : reason;
}

void plan_float(const PlanContext& context, Plan& plan) { plan_product(context, DType::kF32, plan); }

// Gate and up as float rows, one after the other.
void plan_float_ffn(const PlanContext& context, Plan& plan) {
  plan_float(context, plan);
  plan.workspace_bytes = static_cast<std::size_t>(2 * context.spec.output.shape.elements()) * sizeof(float);
}

void launch_float(const Launch& launch) {
  launch_mmv_float(matmul_args(launch), can_overlap(launch), launch.stream);
}

void launch_float_ffn(const Launch& launch) {
  const FfnArgs ffn = ffn_args(launch);
  MatmulArgs args;
  args.x = ffn.x;
  args.x_type = ffn.x_type;
  args.x_stride = ffn.x_stride;
  args.n_out = ffn.gate.n;
  args.n_tokens = ffn.n_tokens;
  auto* gate = static_cast<float*>(ffn.workspace);
  float* up = gate + ffn.n_tokens * ffn.gate.n;
  args.weights[0] = ffn.gate;
  args.out = gate;
  launch_mmv_float(args, can_overlap(launch), launch.stream);
  args.weights[0] = ffn.up;
  args.out = up;
  launch_mmv_float(args, can_overlap(launch), launch.stream);
  launch_swiglu(gate, up, ffn.out, ffn.out_type != DType::kF32, ffn.n_tokens, ffn.gate.n,
                launch.can_overlap(), launch.stream);
}

}  // namespace

const Candidate kMmvqMatmul = {"matmul_mmvq", refuse_few_mmvq, plan_mmvq, launch_mmvq_node};
const Candidate kMmvqMatmulAdd = {"matmul_add_mmvq", refuse_few_mmvq, plan_mmvq, launch_mmvq_node};
const Candidate kMmvqQkv = {"fused_qkv_mmvq", refuse_few_mmvq, plan_mmvq, launch_mmvq_node};
const Candidate kMmvqFfn = {"fused_ffn_mmvq", refuse_mmvq_ffn, plan_mmvq, launch_mmvq_ffn_node};
const Candidate kMmvFloatMatmul = {"matmul_mmv_float", refuse_float, plan_float, launch_float};
const Candidate kMmvFloatMatmulAdd = {"matmul_add_mmv_float", refuse_float, plan_float, launch_float};
const Candidate kMmvFloatQkv = {"fused_qkv_mmv_float", refuse_float, plan_float, launch_float};
const Candidate kMmvFloatFfn = {"fused_ffn_mmv_float", refuse_float_ffn, plan_float_ffn, launch_float_ffn};
// Any number of tokens, for weights that nothing faster takes.
const Candidate kMmvFloatMatmulTurns = {"matmul_mmv_float_turns", refuse_float_type, plan_float,
                                        launch_float_turns};
const Candidate kMmvFloatQkvTurns = {"fused_qkv_mmv_float_turns", refuse_float_type, plan_float,
                                     launch_float_turns};
const Candidate kMmvFloatMatmulAddTurns = {"matmul_add_mmv_float_turns", refuse_float_type, plan_float,
                                           launch_float_turns};
const Candidate kMmvqMatmulTurns = {"matmul_mmvq_turns", refuse_mmvq, plan_mmvq, launch_mmvq_turns};
const Candidate kMmvqMatmulAddTurns = {"matmul_add_mmvq_turns", refuse_mmvq, plan_mmvq, launch_mmvq_turns};
const Candidate kMmvqQkvTurns = {"fused_qkv_mmvq_turns", refuse_mmvq, plan_mmvq, launch_mmvq_turns};

}  // namespace minfer::cuda
