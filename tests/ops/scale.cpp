#include "ops/scale.h"

#include <gtest/gtest.h>

#include "elementwise.h"
#include "support/reference_run.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<Scale>() {
  std::vector<OpCase> cases;
  for (const Shape& shape : kElementwiseShapes)
    cases.push_back({.variant = "f32", .op = Scale{.factor = 0.3f}, .inputs = {floats(shape)}});
  return cases;
}

TEST(ReferenceScale, MultipliesEveryElement) {
  const ReferenceRun run({.op = Scale{.factor = -2}, .inputs = {floats({5, 2})}});
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(run.output()[i], -2 * run.input(0)[i]) << i;
}

}  // namespace minfer::test
