// One weight matrix of a matrix product, and how rows of it are multiplied: by a kernel of the weight's type for any
// number of tokens, or by one for many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "backends/cpu/kernel_table.h"
#include "backends/cpu/matmul/gemm_kernels.h"
#include "backends/cpu/matmul/matmul_kernels.h"
#include "backends/cpu/parallel.h"
#include "quant/traits.h"

namespace minfer {

struct WeightProduct {
  MatMulFn kernel = nullptr;         // null where gemm is not
  const GemmKernel* gemm = nullptr;  // set by a plan for many tokens
  const std::uint8_t* weights = nullptr;
  std::size_t row_stride = 0;
  std::int64_t k = 0;
  std::int64_t n_rows = 0;
};

// Rows of activations, of the type that the weights' traits name.
struct ActivationRows {
  const std::uint8_t* data = nullptr;
  std::size_t stride = 0;
  std::int64_t n_tokens = 0;
};

// Why these weights cannot be multiplied with one input, or empty. They must all read the same type of activations.
std::string refuse_products(const PlanContext& context);
// The same for the kernels for many tokens (gemm_kernels.h), which must exist for every weight.
std::string refuse_gemm(const PlanContext& context);
// Whether the node has enough tokens for them.
bool gemm_pays(const PlanContext& context);
// What all weights of the node read. REQUIRES: refuse_products is empty.
DType product_input_type(const PlanContext& context);

// The products of a node, in the order of its weights: what plan leaves for launch.
using WeightProducts = std::vector<WeightProduct>;
enum class TokenCount { kAny, kMany };
// Sets input_type, label ("NAME q4_0 avx2", "NAME q4_K avx512 gemm"), flops and state
// (WeightProducts). REQUIRES: refuse_products, for many tokens refuse_gemm, is empty.
const WeightProducts& plan_products(std::string_view name, const PlanContext& context, TokenCount tokens,
                                    Plan& plan);

// Bytes that one worker needs to multiply any of them, a multiple of 64; 0 where none is unpacked.
std::size_t product_scratch_bytes(const WeightProducts& products);

// out[t * out_stride + i] = product of token t and row rows.begin + i. scratch: product_scratch_bytes.
void multiply_rows(const WeightProduct& product, Range rows, const ActivationRows& x, float* out,
                   std::size_t out_stride, std::byte* scratch);

// Input 0 of a launch. Throws InternalError unless it has the type that the weights read.
ActivationRows activation_rows(const Launch& launch);
// The cost of one row of the products, for parallel_ranges.
std::int64_t row_cost_bytes(const WeightProduct& product, std::int64_t n_tokens);

// Rows are shared out among workers in pieces of this many: two groups of the AVX2 kernels, one of 16 lanes, and a
// cache line of outputs.
inline constexpr std::int64_t kRowGranule = 16;
// The same for many tokens: a panel of the gemm kernels.
inline constexpr std::int64_t kPanelRows = 32;

// Calls function(rows, worker) for parts of [0, n_rows): for many tokens a few panels, which any worker may take, else
// one contiguous part a worker, so that each reads its own stream of weights.
template <TokenCount kTokens, typename Function>
void parallel_product_rows(const Launch& launch, std::int64_t n_rows, std::int64_t cost_bytes,
                           const Function& function) {
  if constexpr (kTokens == TokenCount::kMany) {
    constexpr std::int64_t kPartsPerWorker = 8;
    constexpr std::int64_t kMaxPanels = 8;
    const std::int64_t panels = n_rows / (kPanelRows * kPartsPerWorker * launch.pool.size());
    parallel_blocks(launch, n_rows, kPanelRows * std::clamp(panels, std::int64_t{1}, kMaxPanels), cost_bytes,
                    function);
  } else {
    parallel_ranges(launch, n_rows, cost_bytes, kRowGranule, function);
  }
}

}  // namespace minfer
