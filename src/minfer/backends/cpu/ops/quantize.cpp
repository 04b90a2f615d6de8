#include "backends/cpu/ops/refuse.h"
#include "backends/cpu/ops/row_output.h"

namespace minfer {
namespace {

std::string refuse(const PlanContext& context) {
  const std::string reason = refuse_unless_f32(context);
  return reason.empty() ? refuse_output(context.op<Quantize>().output, context.input(0).shape.cols())
                        : reason;
}

void launch_quantize(const Launch& launch) {
  const DType output = launch.op<Quantize>().output;
  const Shape& shape = launch.input_descs[0].shape;
  const std::int64_t n = shape.cols();
  const float* x = launch.input<const float>(0);
  const std::size_t out_bytes = row_bytes(output, n);
  parallel_ranges(launch, shape.rows(), n * 8, 1, [&](Range range, int) {
    for (std::int64_t i = range.begin; i < range.end; ++i)
      quantize_row(launch.kernels, output, x + i * n, launch.output + static_cast<std::size_t>(i) * out_bytes,
                   n);
  });
}

constexpr Candidate kCandidates[] = {{"quantize", refuse, plan_flops<4>, launch_quantize}};

}  // namespace

const OpKernels kQuantizeKernels = {Quantize::kName, kCandidates};

}  // namespace minfer
