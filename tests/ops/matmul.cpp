#include "ops/matmul.h"

#include <gtest/gtest.h>

#include "quant/traits.h"
#include "support/op_compare.h"
#include "support/reference_run.h"

namespace minfer::test {
namespace {

struct Product {
  std::int64_t n_tokens;
  std::int64_t k;
  std::int64_t n_out;
};

// Those whose k a type's blocks do not divide are left out for that type.
constexpr Product kProducts[] = {{3, 33, 5},   {1, 32, 1},     {1, 96, 5},   {3, 64, 17},
                                 {33, 96, 17}, {7, 256, 5},    {1, 256, 17}, {33, 512, 64},
                                 {2, 1024, 1}, {1, 1024, 512}, {3, 768, 64}, {8, 256, 128}};

}  // namespace

template <>
std::vector<OpCase> op_cases<MatMul>() {
  std::vector<OpCase> cases;
  for (const QuantTraits* traits : all_quant_traits())
    for (const auto& [n_tokens, k, n_out] : kProducts) {
      if (k % dtype_info(traits->type).block_values != 0) continue;
      cases.push_back({.variant = std::string(dtype_name(traits->type)),
                       .op = MatMul{},
                       .inputs = {floats({k, n_tokens})},
                       .weights = {tensor(traits->type, {k, n_out})},
                       .tolerance = 1e-6});
    }
  return cases;
}

// The reference rounds the exact sum once: half an ulp, which is less than 2^-24 of the sum of magnitudes.
TEST(ReferenceMatMul, IsTheSumOfProductsOfDecodedValues) {
  for (OpCase c : op_cases<MatMul>()) {
    const DType activation = find_quant_traits(c.weights[0].desc.dtype)->activation;
    for (const DType type : {DType::kF32, activation}) {
      c.inputs[0].desc.dtype = type;
      const ReferenceRun run(c);
      const auto magnitude = magnitudes(c, run.data, run.result);
      const auto x = run.input(0);
      const auto w = run.weight(0);
      const auto y = run.output();
      const auto k = static_cast<std::size_t>(c.inputs[0].desc.shape.cols());
      const auto n_out = static_cast<std::size_t>(c.weights[0].desc.shape.rows());
      for (std::size_t i = 0; i < y.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < k; ++j) sum += double{x[i / n_out * k + j]} * w[i % n_out * k + j];
        ASSERT_NEAR(y[i], sum, magnitude[i] * 0x1p-24) << name_of(c) << " element " << i;
      }
    }
  }
}

}  // namespace minfer::test
