#include <algorithm>

#include "backends/cpu/ops/kv_cells.h"
#include "backends/cpu/ops/refuse.h"
#include "backends/cpu/parallel.h"

namespace minfer {
namespace {

// One token's way from projections to queries and cells: the row kernels of Add, QkNorm, RoPE and KvStore, in
// their order.
class QkvRow {
 public:
  explicit QkvRow(const Launch& launch)
      : launch_(launch),
        op_(launch.op<QkvBiasRopeStore>()),
        n_q_(std::int64_t{op_.n_head} * op_.kv.head_dim),
        n_kv_(op_.kv.row_values()) {}

  // `scratch`: n_kv floats.
  void run(std::int64_t token, float* scratch) const {
    const float* row = launch_.input<const float>(0) + token * (n_q_ + 2 * n_kv_);
    const float* table = launch_.input<const float>(1) + token * op_.n_dims;
    const std::int32_t cell = launch_.input<const std::int32_t>(2)[token];
    rotate(row, 0, n_q_, table, launch_.out<float>() + token * n_q_);
    rotate(row + n_q_, 1, n_kv_, table, scratch);
    store_cell(launch_, op_.kv, launch_.kv.k, cell, scratch);
    add_bias(row + n_q_ + n_kv_, 2, n_kv_, scratch);
    store_cell(launch_, op_.kv, launch_.kv.v, cell, scratch);
  }

 private:
  void add_bias(const float* x, int which, std::int64_t n, float* out) const {
    if (op_.has_bias) {
      launch_.kernels.add_row(x, launch_.weight_floats(which), out, n);
    } else {
      std::copy_n(x, n, out);
    }
  }

  // Queries (which = 0) or keys (which = 1).
  void rotate(const float* x, int which, std::int64_t n, const float* table, float* out) const {
    add_bias(x, which, n, out);
    const int head_dim = op_.kv.head_dim;
    if (op_.has_norm) {
      const float* weight = launch_.weight_floats((op_.has_bias ? 3 : 0) + which);
      for (std::int64_t i = 0; i < n; i += head_dim)
        launch_.kernels.rms_norm_row(out + i, weight, op_.eps, out + i, head_dim);
    }
    const auto turn =
        op_.style == RopeStyle::kNeox ? launch_.kernels.rope_neox : launch_.kernels.rope_interleaved;
    turn(out, table, out, static_cast<int>(n / head_dim), head_dim, op_.n_dims);
  }

  const Launch& launch_;
  const QkvBiasRopeStore& op_;
  const std::int64_t n_q_;
  const std::int64_t n_kv_;
};

std::string refuse(const PlanContext& context) {
  const std::string reason = refuse_unless_f32(context);
  return reason.empty() ? refuse_cells(context.op<QkvBiasRopeStore>().kv) : reason;
}

void plan_store(const PlanContext& context, Plan& plan) {
  const KvGeometry& kv = context.op<QkvBiasRopeStore>().kv;
  plan.workspace_bytes = static_cast<std::size_t>(context.n_workers * kv.row_values()) * sizeof(float);
  plan.bytes_moved += static_cast<std::uint64_t>(2 * context.input(0).shape.rows()) * kv.row_bytes();
  plan_flops<8>(context, plan);
}

void launch_store(const Launch& launch) {
  const KvGeometry& kv = launch.op<QkvBiasRopeStore>().kv;
  const Shape& shape = launch.input_descs[0].shape;
  check_kv_region(launch, kv);
  check_cells(launch, launch.input<const std::int32_t>(2), shape.rows());
  const QkvRow row(launch);
  parallel_ranges(launch, shape.rows(), shape.cols() * 16, 1, [&](Range range, int worker) {
    float* scratch = reinterpret_cast<float*>(launch.workspace) + worker * kv.row_values();
    for (std::int64_t t = range.begin; t < range.end; ++t) row.run(t, scratch);
  });
}

constexpr Candidate kCandidates[] = {{"qkv_bias_rope_store", refuse, plan_store, launch_store}};

}  // namespace

const OpKernels kQkvBiasRopeStoreKernels = {QkvBiasRopeStore::kName, kCandidates};

}  // namespace minfer
