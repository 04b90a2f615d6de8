#include "ops/rope.h"

#include <fmt/core.h>

#include "backends/cuda/ops/heads.h"
#include "backends/cuda/ops/refuse.h"

namespace minfer::cuda {
namespace {

std::string refuse(const PlanContext& context) {
  const int head_dim = context.op<RoPE>().head_dim;
  if (head_dim > kMaxHeadDim) return fmt::format("heads of {} values, at most {}", head_dim, kMaxHeadDim);
  return refuse_unless_f32(context);
}

void launch_node(const Launch& launch) {
  const auto& op = launch.op<RoPE>();
  const Shape& shape = launch.input_descs[0].shape;
  RopeArgs args;
  args.x = launch.input<const float>(0);
  args.table = launch.input<const float>(1);
  args.out = launch.out<float>();
  args.n_tokens = shape.rows();
  args.n_head = static_cast<int>(shape.cols() / op.head_dim);
  args.head_dim = op.head_dim;
  args.n_dims = op.n_dims;
  args.neox = op.style == RopeStyle::kNeox;
  launch_rope(args, launch.can_overlap(), launch.stream);
}

constexpr Candidate kRope = {"rope", refuse, plan_flops<3>, launch_node};
constexpr const Candidate* kCandidates[] = {&kRope};

}  // namespace

const OpKernels kRoPEKernels = {RoPE::kName, kCandidates};

}  // namespace minfer::cuda
