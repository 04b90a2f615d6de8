#include "backends/cpu/ops/refuse.h"
#include "backends/cpu/parallel.h"

namespace minfer {
namespace {

void launch_qk_norm(const Launch& launch) {
  const auto& op = launch.op<QkNorm>();
  const float* x = launch.input<const float>(0);
  float* out = launch.out<float>();
  const std::int64_t n_heads = launch.input_descs[0].shape.elements() / op.head_dim;
  parallel_ranges(launch, n_heads, op.head_dim * 8, 1, [&](Range range, int) {
    for (std::int64_t i = range.begin; i < range.end; ++i)
      launch.kernels.rms_norm_row(x + i * op.head_dim, launch.weight_floats(0), op.eps, out + i * op.head_dim,
                                  op.head_dim);
  });
}

constexpr Candidate kCandidates[] = {{"qk_norm", refuse_unless_f32, plan_flops<4>, launch_qk_norm}};

}  // namespace

const OpKernels kQkNormKernels = {QkNorm::kName, kCandidates};

}  // namespace minfer
