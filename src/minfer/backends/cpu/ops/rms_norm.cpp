#include "backends/cpu/ops/refuse.h"
#include "backends/cpu/ops/row_output.h"

namespace minfer {
namespace {

std::string refuse(const PlanContext& context) {
  const std::string reason = refuse_unless_f32(context);
  return reason.empty() ? refuse_output(context.op<RmsNorm>().output, context.input(0).shape.cols()) : reason;
}

void plan_rms_norm(const PlanContext& context, Plan& plan) {
  plan_flops<4>(context, plan);
  plan.workspace_bytes = row_output_workspace(context, context.op<RmsNorm>().output);
}

void launch_rms_norm(const Launch& launch) {
  const auto& op = launch.op<RmsNorm>();
  const std::int64_t n = launch.input_descs[0].shape.cols();
  const float* x = launch.input<const float>(0);
  run_rows(launch, op.output, n * 8, [&](std::int64_t i, float* out) {
    launch.kernels.rms_norm_row(x + i * n, launch.weight_floats(0), op.eps, out, n);
  });
}

constexpr Candidate kCandidates[] = {{"rms_norm", refuse, plan_rms_norm, launch_rms_norm}};

}  // namespace

const OpKernels kRmsNormKernels = {RmsNorm::kName, kCandidates};

}  // namespace minfer
