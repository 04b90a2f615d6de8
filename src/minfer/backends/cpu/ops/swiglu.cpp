#include "backends/cpu/ops/refuse.h"
#include "backends/cpu/ops/row_output.h"

namespace minfer {
namespace {

constexpr std::int64_t kCostBytes = 20;  // of a value: an exponential and a division

std::string refuse(const PlanContext& context) {
  const std::string reason = refuse_unless_f32(context);
  return reason.empty() ? refuse_output(context.op<SwiGLU>().output, context.input(0).shape.cols()) : reason;
}

void plan_swiglu(const PlanContext& context, Plan& plan) {
  plan_flops<5>(context, plan);
  plan.workspace_bytes = row_output_workspace(context, context.op<SwiGLU>().output);
}

void launch_swiglu(const Launch& launch) {
  const DType output = launch.op<SwiGLU>().output;
  const std::int64_t n = launch.input_descs[0].shape.cols();
  const float* gate = launch.input<const float>(0);
  const float* up = launch.input<const float>(1);
  run_rows(launch, output, n * kCostBytes,
           [&](std::int64_t i, float* out) { launch.kernels.swiglu_row(gate + i * n, up + i * n, out, n); });
}

constexpr Candidate kCandidates[] = {{"swiglu", refuse, plan_swiglu, launch_swiglu}};

}  // namespace

const OpKernels kSwiGLUKernels = {SwiGLU::kName, kCandidates};

}  // namespace minfer
