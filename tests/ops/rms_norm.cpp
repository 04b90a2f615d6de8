#include "ops/rms_norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/reference_run.h"
#include "support/tolerances.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<RmsNorm>() {
  std::vector<OpCase> cases;
  for (const Shape& shape : {Shape{1, 3}, Shape{5, 7}, Shape{96, 33}, Shape{1024, 1}, Shape{1030, 3}})
    cases.push_back({.variant = "f32",
                     .op = RmsNorm{.eps = 1e-6f},
                     .inputs = {floats(shape, 3)},
                     .weights = {floats({shape.cols()}, 0.5f, 1)},
                     .tolerance = 1e-6});
  for (const DType output : {DType::kQ8Row32, DType::kQ8Row256})
    for (const Shape& shape : {Shape{256, 3}, Shape{1024, 7}})
      cases.push_back({.variant = std::string(dtype_name(output)),
                       .op = RmsNorm{.eps = 1e-5f, .output = output},
                       .inputs = {floats(shape, 3)},
                       .weights = {floats({shape.cols()}, 0.5f, 1)},
                       .tolerance = kEightBitStep});
  return cases;
}

TEST(ReferenceRmsNorm, DividesByTheRootMeanSquare) {
  const ReferenceRun run({.op = RmsNorm{.eps = 0.25f}, .inputs = {floats({6, 2})}, .weights = {floats({6})}});
  const auto x = run.input(0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    long double squares = 0;
    for (std::size_t j = i / 6 * 6; j < i / 6 * 6 + 6; ++j) squares += static_cast<long double>(x[j]) * x[j];
    EXPECT_FLOAT_EQ(run.output()[i],
                    static_cast<float>(x[i] / std::sqrt(squares / 6 + 0.25L) * run.weight(0)[i % 6]));
  }
}

// The scale of a row cancels out, which a wrong mean or a misplaced eps would break.
TEST(ReferenceRmsNorm, IgnoresTheScaleOfItsInput) {
  const OpCase c{.op = RmsNorm{.eps = 0}, .inputs = {floats({64})}, .weights = {floats({64})}};
  OpData data = make_data(c, 1);
  const auto once = ReferenceRun(c, data).output();
  auto x = decode(c.inputs[0].desc, data.inputs[0]);
  for (float& value : x) value *= 1024;
  data.inputs[0] = encode(c.inputs[0].desc, x);
  EXPECT_EQ(ReferenceRun(c, data).output(), once);
}

}  // namespace minfer::test
