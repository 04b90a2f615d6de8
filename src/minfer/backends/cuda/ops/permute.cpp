#include "ops/permute.h"

#include "backends/cuda/ops/moves.h"
#include "backends/cuda/ops/refuse.h"

namespace minfer::cuda {
namespace {

void launch_node(const Launch& launch) {
  const auto& op = launch.op<Permute>();
  const Shape& x = launch.input_descs[0].shape;
  std::int64_t strides[kMaxRank] = {1, x.dim[0], x.dim[0] * x.dim[1], x.dim[0] * x.dim[1] * x.dim[2]};
  PermuteArgs args;
  args.x = launch.input<const float>(0);
  args.out = launch.out<float>();
  for (std::size_t i = 0; i < kMaxRank; ++i) {
    args.out_dim[i] = launch.node.out.shape.dim[i];
    args.x_stride[i] = strides[op.order[i]];
  }
  launch_permute(args, launch.can_overlap(), launch.stream);
}

constexpr Candidate kPermute = {"permute", refuse_unless_f32, plan_flops<0>, launch_node};
constexpr const Candidate* kCandidates[] = {&kPermute};

}  // namespace

const OpKernels kPermuteKernels = {Permute::kName, kCandidates};

}  // namespace minfer::cuda
