#include "backends/cpu/ops/refuse.h"
#include "backends/cpu/parallel.h"

namespace minfer {
namespace {

void launch_scale(const Launch& launch) {
  const float factor = launch.op<Scale>().factor;
  const float* x = launch.input<const float>(0);
  float* out = launch.out<float>();
  parallel_ranges(launch, launch.input_descs[0].shape.elements(), 8, 64, [&](Range range, int) {
    launch.kernels.scale_row(x + range.begin, factor, out + range.begin, range.end - range.begin);
  });
}

constexpr Candidate kCandidates[] = {{"scale", refuse_unless_f32, plan_flops<1>, launch_scale}};

}  // namespace

const OpKernels kScaleKernels = {Scale::kName, kCandidates};

}  // namespace minfer
