#include "ops/fused_qkv.h"

#include <gtest/gtest.h>

#include "quant/traits.h"
#include "support/reference_run.h"

namespace minfer::test {
namespace {

OpCase projections(DType q, DType k, DType v, std::int64_t n_tokens) {
  return {.variant = q == v ? std::string(dtype_name(q)) : "mixed",
          .op = FusedQKV{},
          .inputs = {floats({256, n_tokens})},
          .weights = {tensor(q, {256, 64}), tensor(k, {256, 32}), tensor(v, {256, 32})},
          .tolerance = 1e-6};
}

}  // namespace

template <>
std::vector<OpCase> op_cases<FusedQKV>() {
  std::vector<OpCase> cases;
  for (const std::int64_t n_tokens : {1, 3, 33}) {
    for (const QuantTraits* traits : all_quant_traits())
      cases.push_back(projections(traits->type, traits->type, traits->type, n_tokens));
    cases.push_back(
        projections(DType::kQ4_K, DType::kQ4_K, DType::kQ6_K, n_tokens));  // as the *_K_M mixes have it
  }
  return cases;
}

TEST(ReferenceFusedQKV, IsThreeProductsSideBySide) {
  const OpCase c = projections(DType::kQ4_0, DType::kF32, DType::kQ8_0, 3);
  const ReferenceRun fused(c);
  std::size_t column = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    OpData data = fused.data;
    data.weights = {fused.data.weights[i]};
    const auto part =
        ReferenceRun({.op = MatMul{}, .inputs = c.inputs, .weights = {c.weights[i]}}, data).output();
    const std::size_t n = part.size() / 3;
    for (std::size_t token = 0; token < 3; ++token)
      for (std::size_t j = 0; j < n; ++j)
        ASSERT_EQ(fused.output()[token * 128 + column + j], part[token * n + j])
            << i << " " << token << " " << j;
    column += n;
  }
}

}  // namespace minfer::test
