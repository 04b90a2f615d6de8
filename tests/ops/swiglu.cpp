#include "ops/swiglu.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elementwise.h"
#include "support/reference_run.h"
#include "support/tolerances.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<SwiGLU>() {
  std::vector<OpCase> cases;
  for (const Shape& shape : kElementwiseShapes)
    cases.push_back(
        {.variant = "f32", .op = SwiGLU{}, .inputs = {floats(shape, 2), floats(shape)}, .tolerance = 2e-6});
  for (const DType output : {DType::kQ8Row32, DType::kQ8Row256})
    for (const Shape& shape : {Shape{256, 1}, Shape{512, 7}})
      cases.push_back({.variant = std::string(dtype_name(output)),
                       .op = SwiGLU{.output = output},
                       .inputs = {floats(shape, 2), floats(shape)},
                       .tolerance = kEightBitStep});
  return cases;
}

TEST(ReferenceSwiGLU, IsSiluOfGateTimesUp) {
  const ReferenceRun run({.op = SwiGLU{}, .inputs = {floats({9, 2}, 2), floats({9, 2})}});
  for (std::size_t i = 0; i < 18; ++i) {
    const double gate = run.input(0)[i];
    EXPECT_FLOAT_EQ(run.output()[i], static_cast<float>(gate / (1 + std::exp(-gate)) * run.input(1)[i])) << i;
  }
}

}  // namespace minfer::test
