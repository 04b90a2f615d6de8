#include "backends/cpu/ops/refuse.h"
#include "backends/cpu/parallel.h"
#include "quant/traits.h"

namespace minfer {
namespace {

std::string refuse(const PlanContext& context) {
  if (context.weights.empty()) return refuse_unless_f32(context);
  const DType type = context.weights[0].desc.dtype;
  return find_quant_traits(type) ? std::string{} : fmt::format("rows of type {}", dtype_name(type));
}

void plan_get_rows(const PlanContext& context, Plan& plan) {
  const TensorDesc& source = context.weights.empty() ? context.input(0) : context.weights[0].desc;
  const auto n_ids = static_cast<std::uint64_t>(context.spec.output.shape.rows());
  plan.bytes_moved = n_ids * (row_bytes(source.dtype, source.shape.cols()) + sizeof(std::int32_t)) +
                     tensor_bytes(context.spec.output);
}

void check_ids(const Launch& launch, const std::int32_t* ids, std::int64_t n, std::int64_t n_rows) {
  for (std::int64_t i = 0; i < n; ++i) {
    if (ids[i] >= 0 && ids[i] < n_rows) continue;
    throw InvalidRequestError(
        fmt::format("{}: id {} at index {} is not in 0..{}", launch.node.label, ids[i], i, n_rows - 1));
  }
}

void launch_get_rows(const Launch& launch) {
  const bool from_weight = !launch.weights.empty();
  const TensorDesc& source = from_weight ? launch.weights[0].desc : launch.input_descs[0];
  const std::byte* data = from_weight ? launch.weights[0].data : launch.inputs[0];
  const auto* ids = launch.input<const std::int32_t>(from_weight ? 0 : 1);
  const std::int64_t n_ids = launch.node.out.shape.rows();
  check_ids(launch, ids, n_ids, source.shape.rows());
  const std::int64_t n = source.shape.cols();
  const std::size_t stride = row_bytes(source.dtype, n);
  const auto decode = quant_traits(source.dtype).decode;
  parallel_ranges(launch, n_ids, n * 8, 1, [&](Range range, int) {
    for (std::int64_t i = range.begin; i < range.end; ++i)
      decode(data + static_cast<std::size_t>(ids[i]) * stride, launch.out<float>() + i * n, n);
  });
}

constexpr Candidate kCandidates[] = {{"get_rows", refuse, plan_get_rows, launch_get_rows}};

}  // namespace

const OpKernels kGetRowsKernels = {GetRows::kName, kCandidates};

}  // namespace minfer
