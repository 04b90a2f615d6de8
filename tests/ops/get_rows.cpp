#include "ops/get_rows.h"

#include <gtest/gtest.h>

#include "minfer/error.h"
#include "quant/traits.h"
#include "support/reference_run.h"

namespace minfer::test {

template <>
std::vector<OpCase> op_cases<GetRows>() {
  std::vector<OpCase> cases;
  for (const QuantTraits* traits : all_quant_traits())
    for (const std::int64_t n : {256, 768})
      cases.push_back({.variant = std::string(dtype_name(traits->type)),
                       .op = GetRows{},
                       .inputs = {ints({5}, {3, 0, 16, 3, 1})},
                       .weights = {tensor(traits->type, {n, 17})}});
  for (const std::int64_t n : {1, 33, 512})
    cases.push_back(
        {.variant = "f32 input", .op = GetRows{}, .inputs = {floats({n, 7}), ints({3}, {6, 0, 6})}});
  return cases;
}

TEST(ReferenceGetRows, GathersInTheOrderOfTheIds) {
  const ReferenceRun run({.op = GetRows{}, .inputs = {floats({2, 3}), ints({4}, {2, 0, 0, 1})}});
  const auto x = run.input(0);
  EXPECT_EQ(run.output(), (std::vector<float>{x[4], x[5], x[0], x[1], x[0], x[1], x[2], x[3]}));
}

TEST(ReferenceGetRows, DecodesRowsOfAWeight) {
  const ReferenceRun run(
      {.op = GetRows{}, .inputs = {ints({1}, {2})}, .weights = {tensor(DType::kQ4_0, {64, 3})}});
  const auto w = run.weight(0);
  EXPECT_EQ(run.output(), std::vector<float>(w.begin() + 128, w.end()));
}

TEST(ReferenceGetRows, RefusesIdsOutsideTheTable) {
  for (const std::int32_t id : {-1, 3}) {
    const OpCase c{.op = GetRows{}, .inputs = {ints({1}, {id})}, .weights = {floats({4, 3})}};
    try {
      const ReferenceRun run(c);
      FAIL() << id;
    } catch (const InvalidRequestError& error) {
      EXPECT_NE(std::string(error.what()).find("token id " + std::to_string(id)), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace minfer::test
