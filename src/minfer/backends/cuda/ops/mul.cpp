#include "backends/cuda/ops/elementwise.h"
#include "backends/cuda/ops/refuse.h"

namespace minfer::cuda {
namespace {

void launch_node(const Launch& launch) {
  const Shape& shape = launch.input_descs[0].shape;
  const bool by_row = !launch.weights.empty();
  const float* y = by_row ? launch.weight_floats(0) : launch.input<const float>(1);
  launch_mul(launch.input<const float>(0), y, launch.out<float>(), shape.elements(),
             by_row ? shape.cols() : shape.elements(), launch.stream);
}

constexpr Candidate kMul = {"mul", refuse_unless_f32, plan_flops<1>, launch_node};
constexpr const Candidate* kCandidates[] = {&kMul};

}  // namespace

const OpKernels kMulKernels = {Mul::kName, kCandidates};

}  // namespace minfer::cuda
