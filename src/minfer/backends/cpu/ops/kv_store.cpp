#include "backends/cpu/ops/kv_cells.h"
#include "backends/cpu/ops/refuse.h"
#include "backends/cpu/parallel.h"

namespace minfer {
namespace {

std::string refuse(const PlanContext& context) {
  const std::string reason = refuse_unless_f32(context);
  return reason.empty() ? refuse_cells(context.op<KvStore>().kv) : reason;
}

void plan_kv_store(const PlanContext& context, Plan& plan) {
  const std::int64_t n_tokens = context.input(0).shape.rows();
  plan.bytes_moved += static_cast<std::uint64_t>(2 * n_tokens) * context.op<KvStore>().kv.row_bytes();
}

void launch_kv_store(const Launch& launch) {
  const KvGeometry& kv = launch.op<KvStore>().kv;
  const std::int64_t n_tokens = launch.input_descs[0].shape.rows();
  const auto* cells = launch.input<const std::int32_t>(2);
  check_kv_region(launch, kv);
  check_cells(launch, cells, n_tokens);
  const std::int64_t n = kv.row_values();
  parallel_ranges(launch, n_tokens, n * 16, 1, [&](Range range, int) {
    for (std::int64_t t = range.begin; t < range.end; ++t) {
      store_cell(launch, kv, launch.kv.k, cells[t], launch.input<const float>(0) + t * n);
      store_cell(launch, kv, launch.kv.v, cells[t], launch.input<const float>(1) + t * n);
    }
  });
}

constexpr Candidate kCandidates[] = {{"kv_store", refuse, plan_kv_store, launch_kv_store}};

}  // namespace

const OpKernels kKvStoreKernels = {KvStore::kName, kCandidates};

}  // namespace minfer
