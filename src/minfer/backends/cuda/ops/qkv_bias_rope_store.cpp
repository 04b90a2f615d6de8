#include "ops/qkv_bias_rope_store.h"

#include "backends/cuda/ops/heads.h"
#include "backends/cuda/ops/kv_cells.h"
#include "backends/cuda/ops/refuse.h"

namespace minfer::cuda {
namespace {

std::string refuse(const PlanContext& context) {
  const std::string reason = refuse_unless_f32(context);
  return reason.empty() ? refuse_cells(context.op<QkvBiasRopeStore>().kv) : reason;
}

void plan_node(const PlanContext& context, Plan& plan) {
  const KvGeometry& kv = context.op<QkvBiasRopeStore>().kv;
  plan.bytes_moved += static_cast<std::uint64_t>(2 * context.input(0).shape.rows()) * kv.row_bytes();
  plan_flops<8>(context, plan);
}

void launch_node(const Launch& launch) {
  const auto& op = launch.op<QkvBiasRopeStore>();
  QkvArgs args;
  args.qkv = launch.input<const float>(0);
  args.table = launch.input<const float>(1);
  for (int i = 0; op.has_bias && i < 3; ++i) args.bias[i] = launch.weight_floats(i);
  for (int i = 0; op.has_norm && i < 2; ++i) args.norm[i] = launch.weight_floats((op.has_bias ? 3 : 0) + i);
  args.cells = launch.input<const std::int32_t>(2);
  args.q = launch.out<float>();
  args.kv = kv_cells(launch, op.kv);
  args.n_tokens = launch.input_descs[0].shape.rows();
  args.n_head = op.n_head;
  args.n_dims = op.n_dims;
  args.neox = op.style == RopeStyle::kNeox;
  args.eps = op.eps;
  args.faults = launch.faults;
  launch_qkv_bias_rope_store(args, launch.can_overlap(), launch.stream);
}

constexpr Candidate kStore = {"qkv_bias_rope_store", refuse, plan_node, launch_node};
constexpr const Candidate* kCandidates[] = {&kStore};

}  // namespace

const OpKernels kQkvBiasRopeStoreKernels = {QkvBiasRopeStore::kName, kCandidates};

}  // namespace minfer::cuda
