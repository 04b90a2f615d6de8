#include "ops/matmul_add.h"

#include <gtest/gtest.h>

#include "quant/traits.h"
#include "support/reference_run.h"

namespace minfer::test {
namespace {

struct Product {
  std::int64_t n_tokens;
  std::int64_t k;
  std::int64_t n_out;
};

constexpr Product kProducts[] = {{1, 96, 5}, {3, 64, 17}, {1, 256, 17}, {33, 512, 64}, {8, 256, 128}};

}  // namespace

template <>
std::vector<OpCase> op_cases<MatMulAdd>() {
  std::vector<OpCase> cases;
  for (const QuantTraits* traits : all_quant_traits())
    for (const auto& [n_tokens, k, n_out] : kProducts) {
      if (k % dtype_info(traits->type).block_values != 0) continue;
      cases.push_back({.variant = std::string(dtype_name(traits->type)),
                       .op = MatMulAdd{},
                       .inputs = {floats({k, n_tokens}), floats({n_out, n_tokens})},
                       .weights = {tensor(traits->type, {k, n_out})},
                       .tolerance = 1e-6});
    }
  return cases;
}

TEST(ReferenceMatMulAdd, IsAProductAndASum) {
  const OpCase c{.op = MatMulAdd{},
                 .inputs = {floats({96, 3}), floats({7, 3})},
                 .weights = {tensor(DType::kQ4_1, {96, 7})}};
  const ReferenceRun run(c);
  const auto x = run.input(0);
  const auto residual = run.input(1);
  const auto w = run.weight(0);
  const auto y = run.output();
  for (std::size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 96; ++j) sum += double{x[i / 7 * 96 + j]} * w[i % 7 * 96 + j];
    EXPECT_EQ(y[i], residual[i] + static_cast<float>(sum)) << i;
  }
}

}  // namespace minfer::test
