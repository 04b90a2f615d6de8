#include "ops/matmul.h"

#include "backends/cpu/matmul/weight_product.h"
#include "backends/cpu/parallel.h"

namespace minfer {
namespace {

template <TokenCount kTokens>
void plan_matmul(const PlanContext& context, Plan& plan) {
  const WeightProducts& products = plan_products("matmul", context, kTokens, plan);
  plan.workspace_bytes = static_cast<std::size_t>(context.n_workers) * product_scratch_bytes(products);
}

template <TokenCount kTokens>
void launch_matmul(const Launch& launch) {
  const auto& products = *static_cast<const WeightProducts*>(launch.state);
  const WeightProduct& product = products[0];
  const ActivationRows x = activation_rows(launch);
  const std::size_t scratch_bytes = product_scratch_bytes(products);
  parallel_product_rows<kTokens>(
      launch, product.n_rows, row_cost_bytes(product, x.n_tokens), [&](Range rows, int worker) {
        multiply_rows(product, rows, x, launch.out<float>() + rows.begin,
                      static_cast<std::size_t>(product.n_rows),
                      launch.workspace + static_cast<std::size_t>(worker) * scratch_bytes);
      });
}

constexpr Candidate kCandidates[] = {
    {"gemm", refuse_gemm, plan_matmul<TokenCount::kMany>, launch_matmul<TokenCount::kMany>, gemm_pays},
    {"matmul", refuse_products, plan_matmul<TokenCount::kAny>, launch_matmul<TokenCount::kAny>}};

}  // namespace

const OpKernels kMatMulKernels = {MatMul::kName, kCandidates};

}  // namespace minfer
