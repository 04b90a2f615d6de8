#include "ops/get_rows.h"

#include <fmt/core.h>

#include "backends/cuda/ops/moves.h"
#include "backends/cuda/ops/refuse.h"

namespace minfer::cuda {
namespace {

std::string refuse(const PlanContext& context) {
  if (context.weights.empty()) return refuse_unless_f32(context);
  const DType type = context.weights[0].desc.dtype;
  return get_rows_supported(type) ? std::string{} : fmt::format("rows of type {}", dtype_name(type));
}

void plan_node(const PlanContext& context, Plan& plan) {
  const TensorDesc& source = context.weights.empty() ? context.input(0) : context.weights[0].desc;
  const auto n_ids = static_cast<std::uint64_t>(context.spec.output.shape.rows());
  plan.bytes_moved = n_ids * (row_bytes(source.dtype, source.shape.cols()) + sizeof(std::int32_t)) +
                     tensor_bytes(context.spec.output);
}

void launch_node(const Launch& launch) {
  const bool from_weight = !launch.weights.empty();
  const TensorDesc& source = from_weight ? launch.weights[0].desc : launch.input_descs[0];
  GetRowsArgs args;
  args.source = from_weight ? launch.weights[0].raw : launch.inputs[0];
  args.type = source.dtype;
  args.n_rows = source.shape.rows();
  args.n = source.shape.cols();
  args.row_bytes = static_cast<std::int64_t>(row_bytes(source.dtype, args.n));
  args.ids = launch.input<const std::int32_t>(from_weight ? 0 : 1);
  args.n_ids = launch.node.out.shape.rows();
  args.out = launch.out<float>();
  args.faults = launch.faults;
  launch_get_rows(args, launch.can_overlap(), launch.stream);
}

constexpr Candidate kGetRows = {"get_rows", refuse, plan_node, launch_node};
constexpr const Candidate* kCandidates[] = {&kGetRows};

}  // namespace

const OpKernels kGetRowsKernels = {GetRows::kName, kCandidates};

}  // namespace minfer::cuda
