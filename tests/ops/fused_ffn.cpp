#include "ops/fused_ffn.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "quant/traits.h"
#include "support/reference_run.h"
#include "support/tolerances.h"

namespace minfer::test {
namespace {

OpCase feed_forward(DType weight, DType output, std::int64_t n_tokens) {
  return {.variant = fmt::format("{} to {}", dtype_name(weight), dtype_name(output)),
          .op = FusedFFN{.output = output},
          .inputs = {floats({256, n_tokens})},
          .weights = {tensor(weight, {256, 512}, 0.1f), tensor(weight, {256, 512}, 0.1f)},
          .tolerance = output == DType::kF32 ? 1e-5 : kEightBitStep};
}

}  // namespace

template <>
std::vector<OpCase> op_cases<FusedFFN>() {
  std::vector<OpCase> cases;
  for (const std::int64_t n_tokens : {1, 3, 33}) {
    for (const QuantTraits* traits : all_quant_traits())
      cases.push_back(feed_forward(traits->type, DType::kF32, n_tokens));
    cases.push_back(feed_forward(DType::kQ4_0, DType::kQ8Row32, n_tokens));
    cases.push_back(feed_forward(DType::kQ4_K, DType::kQ8Row256, n_tokens));
  }
  return cases;
}

TEST(ReferenceFusedFFN, IsSwiGLUOfTwoProducts) {
  const OpCase c = feed_forward(DType::kQ8_0, DType::kF32, 3);
  const ReferenceRun fused(c);
  OpData activated = fused.data;
  activated.inputs.clear();
  for (std::size_t i = 0; i < 2; ++i) {
    OpData data = fused.data;
    data.weights = {fused.data.weights[i]};
    activated.inputs.push_back(
        ReferenceRun({.op = MatMul{}, .inputs = c.inputs, .weights = {c.weights[i]}}, data).result.output);
  }
  const OpCase swiglu{.op = SwiGLU{}, .inputs = {floats({512, 3}), floats({512, 3})}};
  EXPECT_EQ(fused.output(), ReferenceRun(swiglu, activated).output());
}

}  // namespace minfer::test
