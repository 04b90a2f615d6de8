#include "ops/quantize.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/reference_run.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<Quantize>() {
  std::vector<OpCase> cases;
  for (const DType output : {DType::kQ8Row32, DType::kQ8Row256})
    for (const Shape& shape : {Shape{32, 1}, Shape{96, 7}, Shape{256, 3}, Shape{1024, 33}}) {
      if (output == DType::kQ8Row256 && shape.cols() % 256 != 0) continue;
      cases.push_back({.variant = std::string(dtype_name(output)),
                       .op = Quantize{.output = output},
                       .inputs = {floats(shape)}});
    }
  return cases;
}

TEST(ReferenceQuantize, StaysWithinHalfAStepOfEachGroup) {
  const ReferenceRun run({.op = Quantize{.output = DType::kQ8Row32}, .inputs = {floats({128, 3})}});
  const auto x = run.input(0);
  const auto y = run.output();
  for (std::size_t i = 0; i < x.size(); ++i) {
    float largest = 0;
    for (std::size_t j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) largest = std::max(largest, std::abs(x[j]));
    EXPECT_NEAR(y[i], x[i], largest / 127 * 0.57)
        << i;  // half a step, and 127 times the rounding of the scale
  }
}

}  // namespace minfer::test
