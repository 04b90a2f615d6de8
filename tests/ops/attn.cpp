#include "ops/attn.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>

#include "minfer/error.h"
#include "support/paged_sequences.h"
#include "support/reference_run.h"
#include "support/tolerances.h"

namespace minfer::test {
namespace {

struct Heads {
  int n_head;
  int n_head_kv;
  int head_dim;
};

OpCase attention(DType cell, const Heads& heads, const std::vector<PagedSequence>& sequences,
                 std::string note = {}, float q_scale = 1) {
  const PagedBatch batch(sequences);
  const auto n_tokens = static_cast<std::int64_t>(batch.positions.size());
  return {
      .variant = std::string(dtype_name(cell)),
      .op = Attn{.kv = {.layer = 1, .n_head_kv = heads.n_head_kv, .head_dim = heads.head_dim, .cell = cell},
                 .n_head = heads.n_head,
                 .scale = 1 / std::sqrt(static_cast<float>(heads.head_dim))},
      .inputs = {floats({std::int64_t{heads.n_head} * heads.head_dim, n_tokens}, q_scale),
                 Operand{{DType::kHandle, Shape{1}}, {}}, ints({n_tokens}, batch.positions),
                 ints({n_tokens}, batch.slots),
                 ints({batch.max_pages, static_cast<std::int64_t>(sequences.size())}, batch.page_table)},
      .tolerance = cell == DType::kQ8_0 ? kPackedAttention : 1e-5,
      .note = fmt::format("heads {}/{} of {}{}{}", heads.n_head, heads.n_head_kv, heads.head_dim,
                          note.empty() ? "" : ", ", note),
      .n_cells = batch.n_cells,
      .written_cells = batch.cells};
}

constexpr Heads kHeads[] = {{1, 1, 32}, {2, 2, 64},  {6, 2, 64},  {14, 2, 64},
                            {4, 1, 80}, {8, 4, 128}, {2, 1, 256}, {6, 3, 20}};

}  // namespace

template <>
std::vector<OpCase> op_cases<Attn>() {
  std::vector<OpCase> cases;
  for (const DType cell : {DType::kF32, DType::kF16, DType::kQ8_0}) {
    for (const Heads& heads : kHeads) {
      if (cell == DType::kQ8_0 && heads.head_dim % 32 != 0) continue;  // blocks must not straddle heads
      cases.push_back(attention(cell, heads, {{.n_past = 40, .n_new = 3}}));
    }
    const Heads heads{4, 2, 64};
    cases.push_back(attention(cell, heads, {{.n_past = 0, .n_new = 1}}, "first token"));
    cases.push_back(attention(cell, heads, {{.n_past = 0, .n_new = 33}}, "prompt"));
    cases.push_back(attention(cell, heads, {{.n_past = 60, .n_new = 9}}, "across 64"));
    cases.push_back(attention(cell, heads, {{.n_past = 509, .n_new = 7}}, "across 512"));
    cases.push_back(attention(cell, heads, {{.n_past = 1100, .n_new = 1}}, "three segments"));
    cases.push_back(attention(
        cell, heads, {{.n_past = 70, .n_new = 2}, {.n_past = 0, .n_new = 5}, {.n_past = 511, .n_new = 1}},
        "three sequences"));
    cases.push_back(attention(cell, heads, {{.n_past = 100, .n_new = 3}}, "peaked", 30));
  }
  return cases;
}

// With equal keys every cell weighs the same, so that the result is the mean of the values up to the position.
TEST(ReferenceAttn, AveragesValuesOfEqualKeysInTheOrderOfThePageTable) {
  const OpCase c = attention(DType::kF32, {2, 1, 32}, {{.n_past = 62, .n_new = 4}});
  OpData data = make_data(c, 1);
  const std::size_t row = 32 * sizeof(float);
  for (const std::int32_t cell : c.written_cells)
    std::copy_n(data.keys.begin() + c.written_cells[0] * std::ptrdiff_t{32 * sizeof(float)}, row,
                data.keys.begin() + cell * std::ptrdiff_t{32 * sizeof(float)});
  const auto y = ReferenceRun(c, data).output();
  const auto values = decode({DType::kF32, Shape{32, c.n_cells}}, data.values);
  for (std::size_t token = 0; token < 4; ++token)
    for (std::size_t i = 0; i < 32; ++i) {
      double mean = 0;
      for (std::size_t p = 0; p < 63 + token; ++p)
        mean +=
            values[static_cast<std::size_t>(c.written_cells[p]) * 32 + i] / static_cast<double>(63 + token);
      EXPECT_NEAR(y[token * 64 + i], mean, 1e-6);
      EXPECT_NEAR(y[token * 64 + 32 + i], mean, 1e-6);
    }
}

// Query heads 0 and 1 read KV head 0, heads 2 and 3 KV head 1: a query that agrees with one key far more than with
// the others returns that key's value.
TEST(ReferenceAttn, FindsTheMatchingKeyOfItsOwnKvHead) {
  OpCase c = attention(DType::kF32, {4, 2, 32}, {{.n_past = 9, .n_new = 1}});
  OpData data = make_data(c, 1);
  const auto keys = decode({DType::kF32, Shape{64, c.n_cells}}, data.keys);
  const auto values = decode({DType::kF32, Shape{64, c.n_cells}}, data.values);
  std::vector<float> q(128);
  const auto at = [&](std::size_t head) {  // head h looks for position 2h + 1
    return static_cast<std::size_t>(c.written_cells[2 * head + 1]) * 64 + head / 2 * 32;
  };
  for (std::size_t head = 0; head < 4; ++head)
    for (std::size_t i = 0; i < 32; ++i) q[head * 32 + i] = 50 * keys[at(head) + i];
  data.inputs[0] = encode(c.inputs[0].desc, q);
  const auto y = ReferenceRun(c, data).output();
  for (std::size_t head = 0; head < 4; ++head)
    for (std::size_t i = 0; i < 32; ++i) EXPECT_NEAR(y[head * 32 + i], values[at(head) + i], 1e-5) << head;
}

// Inputs of the op: q, stored, positions, slots, page table.
TEST(ReferenceAttn, RefusesIndicesOutsideTheirRange) {
  const auto throws = [](int input, std::int32_t value) {
    OpCase c = attention(DType::kF32, {1, 1, 32}, {{.n_past = 3, .n_new = 1}});
    c.inputs[static_cast<std::size_t>(input)].ints[0] = value;
    EXPECT_THROW(ReferenceRun{c}, InternalError) << input << " " << value;
  };
  throws(2, -1);
  throws(2, 1000000);
  throws(3, -1);
  throws(3, 1);
  throws(4, -1);
  throws(4, 1000);
}

}  // namespace minfer::test
