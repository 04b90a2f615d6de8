#include "ops/rope_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/reference_run.h"

namespace minfer::test {
namespace {

const RopeTable kQwen{.n_dims = 128, .base = 1e6f};
const RopeTable kLinear{.n_dims = 64, .base = 1e4f, .scaling = RopeScaling::kLinear, .factor = 4};
const RopeTable kYarn{.n_dims = 128,
                      .base = 1e6f,
                      .scaling = RopeScaling::kYarn,
                      .factor = 4,
                      .attention_factor = 1.1386294f,
                      .original_context = 32768};

OpCase table(const RopeTable& op, std::string variant, std::vector<std::int32_t> positions,
             bool divisors = false) {
  const auto n = static_cast<std::int64_t>(positions.size());
  OpCase c{.variant = std::move(variant), .op = op, .inputs = {ints({n}, std::move(positions))}};
  if (divisors) c.weights = {floats({op.n_dims / 2}, 0.5f, 8)};
  return c;
}

}  // namespace

template <>
std::vector<OpCase> op_cases<RopeTable>() {
  const std::vector<std::int32_t> positions{0, 1, 63, 64, 511, 512, 131071, 5};
  return {table(kQwen, "unscaled", positions), table(kQwen, "frequency divisors", positions, true),
          table(kLinear, "linear", positions), table(kYarn, "yarn", positions)};
}

TEST(ReferenceRopeTable, HoldsCosinesThenSines) {
  const auto y = ReferenceRun(table(RopeTable{.n_dims = 4, .base = 100}, "", {3, -3})).output();
  const float angles[] = {3, 0.3f};  // 3 * 100^(-2i / 4)
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_FLOAT_EQ(y[i], std::cos(angles[i]));
    EXPECT_FLOAT_EQ(y[2 + i], std::sin(angles[i]));
    EXPECT_FLOAT_EQ(y[4 + i], std::cos(angles[i]));  // position -3 turns backwards
    EXPECT_FLOAT_EQ(y[6 + i], -std::sin(angles[i]));
  }
}

TEST(ReferenceRopeTable, ReadsTheDivisors) {
  const OpCase c = table(RopeTable{.n_dims = 4, .base = 100}, "", {8}, true);
  OpData data = make_data(c, 1);
  data.weights[0] = encode(c.weights[0].desc, std::vector<float>{4, 2});
  const auto y = ReferenceRun(c, data).output();
  EXPECT_FLOAT_EQ(y[0], std::cos(2.0f));
  EXPECT_FLOAT_EQ(y[1], std::cos(0.4f));
}

}  // namespace minfer::test
