#include "ops/scale.h"

#include "backends/cuda/ops/elementwise.h"
#include "backends/cuda/ops/refuse.h"

namespace minfer::cuda {
namespace {

void launch_node(const Launch& launch) {
  launch_scale(launch.input<const float>(0), launch.op<Scale>().factor, launch.out<float>(),
               launch.input_descs[0].shape.elements(), launch.stream);
}

constexpr Candidate kScale = {"scale", refuse_unless_f32, plan_flops<1>, launch_node};
constexpr const Candidate* kCandidates[] = {&kScale};

}  // namespace

const OpKernels kScaleKernels = {Scale::kName, kCandidates};

}  // namespace minfer::cuda
