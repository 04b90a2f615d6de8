// The int8 products of many tokens as candidates of their nodes.
#include <algorithm>

#include <fmt/core.h>

#include "backends/cuda/matmul/candidates.h"
#include "backends/cuda/matmul/mmq.h"
#include "backends/cuda/matmul/mmq_tiers.h"
#include "backends/cuda/matmul/node.h"
#include "backends/cuda/ops/refuse.h"
#include "backends/cuda/ops/rows.h"
#include "ops/fused_ffn.h"

namespace minfer::cuda {
namespace {

MmqChoice choice_of(const DeviceLimits& limits, const WeightMatrix& w, std::int64_t n_tokens) {
  return choose_mmq(limits, w.type, n_tokens, true);
}

std::string refuse_mmq(const PlanContext& context) {
  if (context.options.mmq == "0") return "MINFER_MMQ=0";
  for (const DeviceWeight& w : context.weights) {
    const std::string reason =
        choose_mmq(context.limits, w.desc.dtype, context.n_tokens(), !context.options.mmq.empty()).refusal;
    if (!reason.empty()) return reason;
    if (w.matrix.layout != mmq_layout(w.desc.dtype)) return "the weight lies in another layout";
  }
  return {};
}

std::string refuse_mmq_ffn(const PlanContext& context) {
  const WeightMatrix &gate = context.weights[0].matrix, &up = context.weights[1].matrix;
  if (gate.type != up.type || gate.layout != up.layout) return "gate and up of different types";
  const std::int64_t n = context.spec.output.shape.cols();
  if (n % 8 != 0) return fmt::format("{} outputs", n);
  const std::string reason = refuse_mmq(context);
  return reason.empty() ? refuse_output(context.op<FusedFFN>().output, n) : reason;
}

void plan_mmq(const PlanContext& context, Plan& plan) {
  plan_product(context, DType::kQ8Row32, plan);
  int widest = 0;
  for (const DeviceWeight& w : context.weights) {
    const int tile = choice_of(context.limits, w.matrix, context.n_tokens()).tile_tokens;
    prepare_mmq(w.desc.dtype, tile);
    plan.workspace_bytes =
        std::max(plan.workspace_bytes, mmq_workspace(w.matrix, context.input(0).shape.rows(), false, tile));
    widest = std::max(widest, tile);
  }
  plan.kernel += fmt::format(" {}", widest);
}

void plan_mmq_ffn(const PlanContext& context, Plan& plan) {
  plan_product(context, DType::kQ8Row32, plan);
  const WeightMatrix& gate = context.weights[0].matrix;
  const int tile = choice_of(context.limits, gate, context.n_tokens()).tile_tokens;
  prepare_mmq(gate.type, tile);
  if (context.op<FusedFFN>().output != DType::kF32) {  // float rows, before they are quantized
    plan.workspace_bytes = sizeof(float) * static_cast<std::size_t>(context.spec.output.shape.elements());
  }
  plan.kernel += fmt::format(" {}", tile);
}

void launch_mmq_node(const Launch& launch) {
  const MatmulArgs args = matmul_args(launch);
  MmqArgs mmq;
  mmq.x = args.x;
  mmq.x_stride = args.x_stride;
  mmq.out = args.out;
  mmq.out_stride = args.n_out;
  mmq.n_tokens = args.n_tokens;
  mmq.workspace = args.workspace;
  mmq.residual = args.residual;
  for (int i = 0; i < args.n_weights; ++i) {
    mmq.matrix = args.weights[i];
    mmq.tile_tokens = choice_of(launch.limits, mmq.matrix, args.n_tokens).tile_tokens;
    launch_mmq(mmq, launch.can_overlap(), launch.stream);
    mmq.out += args.weights[i].n;
    if (mmq.residual) mmq.residual += args.weights[i].n;
  }
}

void launch_mmq_ffn_node(const Launch& launch) {
  const FfnArgs args = ffn_args(launch);
  const bool quantized = args.out_type != DType::kF32;
  MmqArgs mmq;
  mmq.matrix = args.gate;
  mmq.up = &args.up;
  mmq.x = args.x;
  mmq.x_stride = args.x_stride;
  mmq.out = static_cast<float*>(quantized ? args.workspace : args.out);
  mmq.out_stride = args.gate.n;
  mmq.n_tokens = args.n_tokens;
  mmq.tile_tokens = choice_of(launch.limits, args.gate, args.n_tokens).tile_tokens;
  launch_mmq(mmq, launch.can_overlap(), launch.stream);
  if (quantized)
    launch_quantize(mmq.out, args.out, args.n_tokens, args.gate.n, launch.can_overlap(), launch.stream);
}

}  // namespace

const Candidate kMmqMatmul = {"matmul_mmq", refuse_mmq, plan_mmq, launch_mmq_node};
const Candidate kMmqMatmulAdd = {"matmul_add_mmq", refuse_mmq, plan_mmq, launch_mmq_node};
const Candidate kMmqQkv = {"fused_qkv_mmq", refuse_mmq, plan_mmq, launch_mmq_node};
const Candidate kMmqFfn = {"fused_ffn_mmq", refuse_mmq_ffn, plan_mmq_ffn, launch_mmq_ffn_node};

}  // namespace minfer::cuda
