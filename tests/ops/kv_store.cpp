#include "ops/kv_store.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "minfer/error.h"
#include "support/reference_run.h"

namespace minfer::test {
namespace {

OpCase store(DType cell, int n_head_kv, int head_dim, std::vector<std::int32_t> cells) {
  const auto n_tokens = static_cast<std::int64_t>(cells.size());
  const Shape row{std::int64_t{n_head_kv} * head_dim, n_tokens};
  return {.variant = std::string(dtype_name(cell)),
          .op = KvStore{.kv = {.layer = 2, .n_head_kv = n_head_kv, .head_dim = head_dim, .cell = cell}},
          .inputs = {floats(row), floats(row), ints({n_tokens}, std::move(cells))},
          .n_cells = 192};
}

}  // namespace

template <>
std::vector<OpCase> op_cases<KvStore>() {
  std::vector<OpCase> cases;
  for (const DType cell : {DType::kF32, DType::kF16, DType::kQ8_0})
    for (const int head_dim : {20, 32, 64, 128}) {
      if (cell == DType::kQ8_0 && head_dim % 32 != 0) continue;  // blocks must not straddle heads
      cases.push_back(store(cell, 1, head_dim, {191}));
      cases.push_back(store(cell, 2, head_dim, {63, 64, 0, 130, 129, 1, 190}));
    }
  return cases;
}

TEST(ReferenceKvStore, WritesTheNamedCellsAndNoOthers) {
  const OpCase c = store(DType::kF32, 2, 4, {5, 0});
  const ReferenceRun run(c);
  constexpr std::size_t kRow = 8 * sizeof(float);
  const auto cell = [&](const Bytes& region, std::size_t i) {
    return Bytes(region.begin() + static_cast<std::ptrdiff_t>(i * kRow),
                 region.begin() + static_cast<std::ptrdiff_t>((i + 1) * kRow));
  };
  for (const int input : {0, 1}) {
    const Bytes& region = input == 0 ? run.result.keys : run.result.values;
    EXPECT_EQ(cell(region, 5), cell(run.data.inputs[input], 0));
    EXPECT_EQ(cell(region, 0), cell(run.data.inputs[input], 1));
    for (const std::size_t i : {1u, 4u, 6u, 191u}) EXPECT_EQ(cell(region, i), Bytes(kRow, kPoison)) << i;
  }
}

TEST(ReferenceKvStore, RefusesCellsBeyondTheRegion) {
  for (const std::int32_t bad : {-1, 192})
    EXPECT_THROW(ReferenceRun(store(DType::kF32, 1, 32, {bad})), InternalError);
}

}  // namespace minfer::test
