#include "ops/permute.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "support/reference_run.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<Permute>() {
  std::vector<OpCase> cases;
  const Shape shape{5, 3, 7, 2};
  for (const std::array<int, kMaxRank>& order :
       {std::array{0, 1, 2, 3}, std::array{1, 0, 2, 3}, std::array{0, 2, 1, 3}, std::array{3, 2, 1, 0},
        std::array{2, 0, 3, 1}})
    cases.push_back({.variant = "f32",
                     .op = Permute{.order = order},
                     .inputs = {floats(shape)},
                     .note = fmt::format("order {}{}{}{}", order[0], order[1], order[2], order[3])});
  return cases;
}

TEST(ReferencePermute, TransposesAMatrix) {
  const ReferenceRun run({.op = Permute{.order = {1, 0, 2, 3}}, .inputs = {floats({3, 2})}});
  const auto x = run.input(0);
  EXPECT_EQ(run.output(), (std::vector<float>{x[0], x[3], x[1], x[4], x[2], x[5]}));
}

// out[i3][i2][i1][i0] = in at the index whose dimension order[d] is i_d.
TEST(ReferencePermute, MovesEveryElementOfFourDimensions) {
  const ReferenceRun run({.op = Permute{.order = {2, 0, 3, 1}}, .inputs = {floats({2, 3, 4, 5})}});
  const auto x = run.input(0);
  const auto y = run.output();  // (3, 5, 2, 4)
  std::size_t next = 0;
  for (int d1 = 0; d1 < 3; ++d1)
    for (int d3 = 0; d3 < 5; ++d3)
      for (int d0 = 0; d0 < 2; ++d0)
        for (int d2 = 0; d2 < 4; ++d2, ++next)
          ASSERT_EQ(y[next], x[d0 + 2 * (d1 + 3 * (d2 + 4 * d3))]) << next;
}

}  // namespace minfer::test
