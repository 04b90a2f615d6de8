#include "backends/cpu/ops/refuse.h"
#include "backends/cpu/parallel.h"

namespace minfer {
namespace {

void launch_softmax(const Launch& launch) {
  const Shape& shape = launch.input_descs[0].shape;
  const std::int64_t n = shape.cols();
  const float* x = launch.input<const float>(0);
  float* out = launch.out<float>();
  parallel_ranges(launch, shape.rows(), n * 24, 1, [&](Range range, int) {
    for (std::int64_t i = range.begin; i < range.end; ++i)
      launch.kernels.softmax_row(x + i * n, out + i * n, n);
  });
}

constexpr Candidate kCandidates[] = {{"softmax", refuse_unless_f32, plan_flops<5>, launch_softmax}};

}  // namespace

const OpKernels kSoftmaxKernels = {Softmax::kName, kCandidates};

}  // namespace minfer
