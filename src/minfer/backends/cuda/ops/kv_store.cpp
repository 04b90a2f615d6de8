#include "ops/kv_store.h"

#include "backends/cuda/ops/heads.h"
#include "backends/cuda/ops/kv_cells.h"
#include "backends/cuda/ops/refuse.h"

namespace minfer::cuda {
namespace {

std::string refuse(const PlanContext& context) {
  const std::string reason = refuse_unless_f32(context);
  return reason.empty() ? refuse_cells(context.op<KvStore>().kv) : reason;
}

void plan_node(const PlanContext& context, Plan& plan) {
  plan.bytes_moved +=
      static_cast<std::uint64_t>(2 * context.input(0).shape.rows()) * context.op<KvStore>().kv.row_bytes();
}

void launch_node(const Launch& launch) {
  KvStoreArgs args;
  args.k = launch.input<const float>(0);
  args.v = launch.input<const float>(1);
  args.stride = launch.input_descs[0].shape.cols();
  args.cells = launch.input<const std::int32_t>(2);
  args.kv = kv_cells(launch, launch.op<KvStore>().kv);
  args.n_tokens = launch.input_descs[0].shape.rows();
  args.faults = launch.faults;
  launch_kv_store(args, launch.can_overlap(), launch.stream);
}

constexpr Candidate kStore = {"kv_store", refuse, plan_node, launch_node};
constexpr const Candidate* kCandidates[] = {&kStore};

}  // namespace

const OpKernels kKvStoreKernels = {KvStore::kName, kCandidates};

}  // namespace minfer::cuda
