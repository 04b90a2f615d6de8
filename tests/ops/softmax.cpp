#include "ops/softmax.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/reference_run.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<Softmax>() {
  std::vector<OpCase> cases;
  for (const Shape& shape : {Shape{1, 3}, Shape{5, 7}, Shape{64, 33}, Shape{1000, 3}})
    cases.push_back({.variant = "f32", .op = Softmax{}, .inputs = {floats(shape, 3)}, .tolerance = 2e-6});
  cases.push_back({.variant = "f32",
                   .op = Softmax{},
                   .inputs = {floats({64, 3}, 300)},
                   .tolerance = 2e-6,
                   .note = "peaked"});
  return cases;
}

TEST(ReferenceSoftmax, RowsSumToOneInProportionToTheExponentials) {
  const ReferenceRun run({.op = Softmax{}, .inputs = {floats({7, 2}, 3)}});
  const auto x = run.input(0);
  const auto y = run.output();
  for (std::size_t first : {0u, 7u}) {
    double sum = 0;
    for (std::size_t i = first; i < first + 7; ++i) {
      sum += y[i];
      EXPECT_NEAR(std::log(double{y[i]} / y[first]), double{x[i]} - x[first], 1e-5) << i;
    }
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

}  // namespace minfer::test
