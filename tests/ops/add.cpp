#include "ops/add.h"

#include <gtest/gtest.h>

#include "elementwise.h"
#include "support/reference_run.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<Add>() {
  std::vector<OpCase> cases;
  for (const Shape& shape : kElementwiseShapes) {
    cases.push_back({.variant = "f32", .op = Add{}, .inputs = {floats(shape), floats(shape)}});
    cases.push_back(
        {.variant = "f32", .op = Add{}, .inputs = {floats(shape)}, .weights = {floats({shape.cols()})}});
  }
  return cases;
}

TEST(ReferenceAdd, RowWithWeight) {
  const ReferenceRun run({.op = Add{}, .inputs = {floats({3, 2})}, .weights = {floats({3})}});
  const auto x = run.input(0);
  const auto w = run.weight(0);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(run.output()[i], x[i] + w[i % 3]) << i;
}

TEST(ReferenceAdd, TwoTensors) {
  const ReferenceRun run({.op = Add{}, .inputs = {floats({3, 2}), floats({3, 2})}});
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(run.output()[i], run.input(0)[i] + run.input(1)[i]) << i;
}

}  // namespace minfer::test
