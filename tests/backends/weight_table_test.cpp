#include "backends/weight_table.h"

#include <gtest/gtest.h>

#include <array>

#include "minfer/error.h"

namespace minfer {
namespace {

const std::array<std::byte, 16> kBytes{};

TensorView view_at(std::size_t offset) { return {{DType::kF32, Shape{2}}, kBytes.data() + offset, 8}; }

TEST(WeightTable, IdentityIsModelAndName) {
  WeightTable table;
  table.add(1, "a", view_at(0));
  table.add(2, "a", view_at(8));
  EXPECT_EQ(table.find(1, "a")->data, kBytes.data());
  EXPECT_EQ(table.find(2, "a")->data, kBytes.data() + 8);
  EXPECT_FALSE(table.has(1, "b"));
  EXPECT_FALSE(table.has(3, "a"));
}

TEST(WeightTable, RegisteringAgainChangesNothing) {
  WeightTable table;
  table.add(1, "a", view_at(0));
  table.add(1, "a", view_at(8));
  EXPECT_EQ(table.find(1, "a")->data, kBytes.data());
}

TEST(WeightTable, ReleasesOneModel) {
  WeightTable table;
  table.add(1, "a", view_at(0));
  table.add(2, "a", view_at(8));
  table.release_model(1);
  EXPECT_FALSE(table.has(1, "a"));
  EXPECT_TRUE(table.has(2, "a"));
}

TEST(WeightTable, RefusesTooFewBytes) {
  WeightTable table;
  EXPECT_THROW(table.add(1, "a", {{DType::kF32, Shape{4}}, kBytes.data(), 12}), InternalError);
}

}  // namespace
}  // namespace minfer
