#include "backends/cpu/ops/refuse.h"
#include "backends/cpu/parallel.h"

namespace minfer {
namespace {

// Elements between neighbours of the input along each output dimension.
std::array<std::int64_t, kMaxRank> input_strides(const Shape& shape, const Permute& op) {
  std::array<std::int64_t, kMaxRank> strides{};
  std::array<std::int64_t, kMaxRank> result{};
  std::int64_t stride = 1;
  for (int i = 0; i < kMaxRank; ++i) {
    strides[i] = stride;
    stride *= shape.dim[i];
  }
  for (int i = 0; i < kMaxRank; ++i) result[i] = strides[op.order[i]];
  return result;
}

void launch_permute(const Launch& launch) {
  const auto strides = input_strides(launch.input_descs[0].shape, launch.op<Permute>());
  const auto& dim = launch.node.out.shape.dim;
  const float* x = launch.input<const float>(0);
  float* out = launch.out<float>();
  parallel_ranges(launch, dim[1] * dim[2] * dim[3], dim[0] * 8, 1, [&](Range range, int) {
    for (std::int64_t row = range.begin; row < range.end; ++row) {
      const float* source = x + row % dim[1] * strides[1] + row / dim[1] % dim[2] * strides[2] +
                            row / (dim[1] * dim[2]) * strides[3];
      for (std::int64_t i = 0; i < dim[0]; ++i) out[row * dim[0] + i] = source[i * strides[0]];
    }
  });
}

constexpr Candidate kCandidates[] = {{"permute", refuse_unless_f32, plan_flops<0>, launch_permute}};

}  // namespace

const OpKernels kPermuteKernels = {Permute::kName, kCandidates};

}  // namespace minfer
