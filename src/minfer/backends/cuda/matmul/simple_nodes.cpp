// The simple kernels as candidates of their nodes.
#include <fmt/core.h>

#include "backends/cuda/matmul/candidates.h"
#include "backends/cuda/matmul/node.h"
#include "backends/cuda/matmul/simple.h"
#include "backends/cuda/ops/refuse.h"
#include "backends/cuda/ops/rows.h"
#include "ops/fused_ffn.h"

namespace minfer::cuda {
namespace {

std::string refuse_product(const PlanContext& context) {
  DType x_type = DType::kF32;
  if (!common_activation(context, x_type)) return "the weights read activations of different types";
  for (const DeviceWeight& weight : context.weights) {
    if (weight.matrix.layout != WeightLayout::kRaw) return "the weight lies in another layout";
    if (!simple_matmul_supported(weight.desc.dtype, x_type))
      return fmt::format("weights of type {}", dtype_name(weight.desc.dtype));
  }
  return {};
}

void plan_simple(const PlanContext& context, Plan& plan) {
  plan_product(context, activation_type(context.weights[0].desc.dtype), plan);
}

void launch_product(const Launch& launch) { launch_simple_matmul(matmul_args(launch), launch.stream); }

std::string refuse_ffn(const PlanContext& context) {
  const std::string reason = refuse_product(context);
  return reason.empty() ? refuse_output(context.op<FusedFFN>().output, context.spec.output.shape.cols())
                        : reason;
}

// Gate and up as float rows, one after the other.
void plan_ffn(const PlanContext& context, Plan& plan) {
  plan_simple(context, plan);
  plan.workspace_bytes = static_cast<std::size_t>(2 * context.spec.output.shape.elements()) * sizeof(float);
}

MatmulArgs half_of_ffn(const FfnArgs& ffn, const WeightMatrix& weight, float* out) {
  MatmulArgs args;
  args.weights[0] = weight;
  args.x = ffn.x;
  args.x_type = ffn.x_type;
  args.x_stride = ffn.x_stride;
  args.out = out;
  args.n_out = weight.n;
  args.n_tokens = ffn.n_tokens;
  return args;
}

void launch_ffn(const Launch& launch) {
  const FfnArgs args = ffn_args(launch);
  auto* gate = static_cast<float*>(args.workspace);
  float* up = gate + args.n_tokens * args.gate.n;
  launch_simple_matmul(half_of_ffn(args, args.gate, gate), launch.stream);
  launch_simple_matmul(half_of_ffn(args, args.up, up), launch.stream);
  launch_swiglu(gate, up, args.out, args.out_type != DType::kF32, args.n_tokens, args.gate.n,
                launch.can_overlap(), launch.stream);
}

}  // namespace

const Candidate kSimpleMatmul = {"matmul_simple", refuse_product, plan_simple, launch_product};
// For comparison: a product by a faster kernel and a sum are faster.
const Candidate kSimpleMatmulAdd = {"matmul_add_simple", refuse_product, plan_simple, launch_product,
                                    [](const PlanContext&) { return false; }};
const Candidate kSimpleQkv = {"fused_qkv_simple", refuse_product, plan_simple, launch_product};
const Candidate kSimpleFfn = {"fused_ffn_simple", refuse_ffn, plan_ffn, launch_ffn};

}  // namespace minfer::cuda
