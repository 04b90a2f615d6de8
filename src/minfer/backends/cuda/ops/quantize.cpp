#include "ops/quantize.h"

#include "backends/cuda/ops/refuse.h"
#include "backends/cuda/ops/rows.h"

namespace minfer::cuda {
namespace {

std::string refuse(const PlanContext& context) {
  const std::string reason = refuse_unless_f32(context);
  return reason.empty() ? refuse_output(context.op<Quantize>().output, context.input(0).shape.cols())
                        : reason;
}

void launch_node(const Launch& launch) {
  const Shape& shape = launch.input_descs[0].shape;
  launch_quantize(launch.input<const float>(0), launch.output, shape.rows(), shape.cols(),
                  launch.can_overlap(), launch.stream);
}

constexpr Candidate kQuantize = {"quantize", refuse, plan_flops<4>, launch_node};
constexpr const Candidate* kCandidates[] = {&kQuantize};

}  // namespace

const OpKernels kQuantizeKernels = {Quantize::kName, kCandidates};

}  // namespace minfer::cuda
