// One weight matrix of a matrix product, and how rows of it are multiplied: by a kernel of the weight's type, or,
// where the table has none, decoded to float32 a few rows at a time and multiplied by the float32 kernel.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "backends/cpu/kernel_table.h"
#include "backends/cpu/matmul/matmul_kernels.h"
#include "quant/traits.h"

namespace minfer {

struct WeightProduct {
  MatMulFn kernel = nullptr;
  const QuantTraits* decode_by = nullptr;  // null: the kernel reads the weight as it is stored
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
// What all weights of the node read. REQUIRES: refuse_products is empty.
DType product_input_type(const PlanContext& context);

// The products of a node, in the order of its weights: what plan leaves for launch.
using WeightProducts = std::vector<WeightProduct>;
// Sets input_type, label ("NAME q4_0 avx2", "NAME iq4_nl decoded avx2"), flops and state (WeightProducts).
const WeightProducts& plan_products(std::string_view name, const PlanContext& context, Plan& plan);

// Bytes that one worker needs to multiply any of them, a multiple of 64; 0 where none is decoded.
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

}  // namespace minfer
