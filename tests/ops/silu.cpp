#include "ops/silu.h"

#include <gtest/gtest.h>

#include "elementwise.h"
#include "support/reference_run.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<Silu>() {
  std::vector<OpCase> cases;
  for (const Shape& shape : kElementwiseShapes)
    cases.push_back({.variant = "f32", .op = Silu{}, .inputs = {floats(shape, 3)}, .tolerance = 1e-6});
  // exp(-x) beyond float's range: silu goes to 0 on the left and to x on the right.
  cases.push_back({.variant = "f32",
                   .op = Silu{},
                   .inputs = {floats({64, 3}, 200)},
                   .tolerance = 1e-6,
                   .note = "saturated"});
  return cases;
}

TEST(ReferenceSilu, KnownValues) {
  const OpCase c{.op = Silu{}, .inputs = {floats({5})}};
  OpData data = make_data(c, 1);
  data.inputs[0] = encode(c.inputs[0].desc, std::vector<float>{0, 1, -1, 200, -200});
  const auto y = ReferenceRun(c, data).output();
  EXPECT_FLOAT_EQ(y[0], 0);
  EXPECT_FLOAT_EQ(y[1], 0.7310585786f);  // 1 / (1 + 1/e)
  EXPECT_FLOAT_EQ(y[2], -0.2689414214f);
  EXPECT_FLOAT_EQ(y[3], 200);
  EXPECT_NEAR(y[4], 0, 1e-30);
}

}  // namespace minfer::test
