#include "ops/qk_norm.h"

#include <gtest/gtest.h>

#include "support/reference_run.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<QkNorm>() {
  std::vector<OpCase> cases;
  for (const int head_dim : {32, 64, 80, 128, 256})
    for (const int n_head : {1, 3, 14})
      cases.push_back({.variant = "f32",
                       .op = QkNorm{.head_dim = head_dim, .eps = 1e-6f},
                       .inputs = {floats({n_head * head_dim, 7}, 3)},
                       .weights = {floats({head_dim}, 0.5f, 1)},
                       .tolerance = 1e-6});
  return cases;
}

// A head's result is the RMS norm of that head alone.
TEST(ReferenceQkNorm, NormsEachHeadByItself) {
  const OpCase heads{
      .op = QkNorm{.head_dim = 8, .eps = 0.1f}, .inputs = {floats({24, 2})}, .weights = {floats({8})}};
  const ReferenceRun run(heads);
  OpCase rows{.op = RmsNorm{.eps = 0.1f}, .inputs = {floats({8, 6})}, .weights = {floats({8})}};
  EXPECT_EQ(run.output(), ReferenceRun(rows, run.data).output());
}

}  // namespace minfer::test
