#include "backends/cpu/ops/refuse.h"
#include "backends/cpu/parallel.h"

namespace minfer {
namespace {

void launch_rope(const Launch& launch) {
  const auto& op = launch.op<RoPE>();
  const auto rotate =
      op.style == RopeStyle::kNeox ? launch.kernels.rope_neox : launch.kernels.rope_interleaved;
  const std::int64_t n = launch.input_descs[0].shape.cols();
  const float* x = launch.input<const float>(0);
  const float* table = launch.input<const float>(1);
  float* out = launch.out<float>();
  parallel_ranges(launch, launch.input_descs[0].shape.rows(), n * 8, 1, [&](Range range, int) {
    for (std::int64_t t = range.begin; t < range.end; ++t)
      rotate(x + t * n, table + t * op.n_dims, out + t * n, static_cast<int>(n / op.head_dim), op.head_dim,
             op.n_dims);
  });
}

constexpr Candidate kCandidates[] = {{"rope", refuse_unless_f32, plan_flops<3>, launch_rope}};

}  // namespace

const OpKernels kRoPEKernels = {RoPE::kName, kCandidates};

}  // namespace minfer
