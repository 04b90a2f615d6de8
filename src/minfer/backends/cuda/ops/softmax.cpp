#include "backends/cuda/ops/refuse.h"
#include "backends/cuda/ops/rows.h"

namespace minfer::cuda {
namespace {

void launch_node(const Launch& launch) {
  const Shape& shape = launch.input_descs[0].shape;
  launch_softmax(launch.input<const float>(0), launch.out<float>(), shape.rows(), shape.cols(),
                 launch.can_overlap(), launch.stream);
}

constexpr Candidate kSoftmax = {"softmax", refuse_unless_f32, plan_flops<4>, launch_node};
constexpr const Candidate* kCandidates[] = {&kSoftmax};

}  // namespace

const OpKernels kSoftmaxKernels = {Softmax::kName, kCandidates};

}  // namespace minfer::cuda
