#include "backends/cuda/ops/elementwise.h"
#include "backends/cuda/ops/refuse.h"

namespace minfer::cuda {
namespace {

void launch_node(const Launch& launch) {
  launch_silu(launch.input<const float>(0), launch.out<float>(), launch.input_descs[0].shape.elements(),
              launch.stream);
}

constexpr Candidate kSilu = {"silu", refuse_unless_f32, plan_flops<4>, launch_node};
constexpr const Candidate* kCandidates[] = {&kSilu};

}  // namespace

const OpKernels kSiluKernels = {Silu::kName, kCandidates};

}  // namespace minfer::cuda
