#include "ops/fused_qkv.h"

#include <algorithm>

#include "backends/cpu/matmul/weight_product.h"
#include "backends/cpu/parallel.h"

namespace minfer {
namespace {

template <TokenCount kTokens>
void plan_fused_qkv(const PlanContext& context, Plan& plan) {
  const WeightProducts& products = plan_products("fused_qkv", context, kTokens, plan);
  plan.workspace_bytes = static_cast<std::size_t>(context.n_workers) * product_scratch_bytes(products);
}

// Rows [rows.begin, rows.end) of the three matrices seen as one, one below the other.
void multiply_stacked(const WeightProducts& products, Range rows, const ActivationRows& x, float* out,
                      std::size_t out_stride, std::byte* scratch) {
  std::int64_t first = 0;
  for (const WeightProduct& product : products) {
    const Range part{std::max(rows.begin - first, std::int64_t{0}),
                     std::min(rows.end - first, product.n_rows)};
    if (!part.empty()) multiply_rows(product, part, x, out + first + part.begin, out_stride, scratch);
    first += product.n_rows;
  }
}

template <TokenCount kTokens>
void launch_fused_qkv(const Launch& launch) {
  const auto& products = *static_cast<const WeightProducts*>(launch.state);
  const ActivationRows x = activation_rows(launch);
  const std::int64_t n_out = launch.node.out.shape.cols();
  const std::size_t scratch_bytes = product_scratch_bytes(products);
  parallel_product_rows<kTokens>(
      launch, n_out, row_cost_bytes(products[0], x.n_tokens), [&](Range rows, int worker) {
        multiply_stacked(products, rows, x, launch.out<float>(), static_cast<std::size_t>(n_out),
                         launch.workspace + static_cast<std::size_t>(worker) * scratch_bytes);
      });
}

constexpr Candidate kCandidates[] = {
    {"gemm", refuse_gemm, plan_fused_qkv<TokenCount::kMany>, launch_fused_qkv<TokenCount::kMany>, gemm_pays},
    {"fused_qkv", refuse_products, plan_fused_qkv<TokenCount::kAny>, launch_fused_qkv<TokenCount::kAny>}};

}  // namespace

const OpKernels kFusedQKVKernels = {FusedQKV::kName, kCandidates};

}  // namespace minfer
