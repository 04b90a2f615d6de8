#include "ops/qkv_bias_rope_store.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "support/reference_run.h"
#include "support/tolerances.h"

namespace minfer::test {
namespace {

OpCase tail(DType cell, RopeStyle style, bool has_bias, bool has_norm) {
  const int head_dim = 64;
  const int n_head = 6;
  const int n_head_kv = 2;
  const std::int64_t n_tokens = 5;
  OpCase c{
      .variant = std::string(dtype_name(cell)),
      .op = QkvBiasRopeStore{.kv = {.layer = 3, .n_head_kv = n_head_kv, .head_dim = head_dim, .cell = cell},
                             .n_head = n_head,
                             .style = style,
                             .n_dims = head_dim,
                             .has_bias = has_bias,
                             .has_norm = has_norm,
                             .eps = 1e-6f},
      .inputs = {floats({(n_head + 2 * n_head_kv) * head_dim, n_tokens}), floats({head_dim, n_tokens}),
                 ints({n_tokens}, {63, 64, 0, 127, 5})},
      .tolerance = cell == DType::kF32   ? 1e-6
                   : cell == DType::kF16 ? 0x1p-10
                                         : kEightBitStep,
      .note = fmt::format("{}{}{}", style == RopeStyle::kNeox ? "neox" : "interleaved",
                          has_bias ? ", bias" : "", has_norm ? ", norms" : ""),
      .n_cells = 128};
  if (has_bias)
    c.weights = {floats({n_head * head_dim}), floats({n_head_kv * head_dim}), floats({n_head_kv * head_dim})};
  for (int i = 0; has_norm && i < 2; ++i) c.weights.push_back(floats({head_dim}, 0.5f, 1));
  return c;
}

}  // namespace

template <>
std::vector<OpCase> op_cases<QkvBiasRopeStore>() {
  std::vector<OpCase> cases;
  for (const DType cell : {DType::kF32, DType::kF16, DType::kQ8_0})
    for (const RopeStyle style : {RopeStyle::kNeox, RopeStyle::kInterleaved})
      for (const bool has_bias : {false, true})
        for (const bool has_norm : {false, true}) cases.push_back(tail(cell, style, has_bias, has_norm));
  return cases;
}

namespace {

// Columns [first, first + n) of each of the five rows.
Bytes columns(const std::vector<float>& rows, std::size_t first, std::size_t n) {
  std::vector<float> part;
  const std::size_t width = rows.size() / 5;
  for (std::size_t row = 0; row < 5; ++row)
    part.insert(part.end(), rows.begin() + static_cast<std::ptrdiff_t>(row * width + first),
                rows.begin() + static_cast<std::ptrdiff_t>(row * width + first + n));
  return encode({DType::kF32, Shape{static_cast<std::int64_t>(part.size())}}, part);
}

// One op of the chain: x with a weight, or x with the rope table.
Bytes chained(const Op& op, Bytes x, std::int64_t width, const Bytes& second, const Shape& second_shape,
              bool weight) {
  OpCase c{.op = op, .inputs = {floats({width, 5})}};
  OpData data;
  data.inputs = {std::move(x)};
  (weight ? c.weights : c.inputs).push_back(floats(second_shape));
  (weight ? data.weights : data.inputs).push_back(second);
  return ReferenceRun(c, data).result.output;
}

}  // namespace

TEST(ReferenceQkvBiasRopeStore, IsTheChainOfPlainOps) {
  const OpCase c = tail(DType::kF32, RopeStyle::kNeox, true, true);
  const ReferenceRun fused(c);
  const auto qkv = fused.input(0);
  const auto& weights = fused.data.weights;
  const auto chain = [&](std::size_t first, std::int64_t width, const Bytes& bias, const Bytes& norm) {
    Bytes x = columns(qkv, first, static_cast<std::size_t>(width));
    x = chained(Add{}, std::move(x), width, bias, {width}, true);
    x = chained(QkNorm{.head_dim = 64, .eps = 1e-6f}, std::move(x), width, norm, {64}, true);
    return chained(RoPE{.style = RopeStyle::kNeox, .head_dim = 64, .n_dims = 64}, std::move(x), width,
                   fused.data.inputs[1], {64, 5}, false);
  };
  EXPECT_EQ(fused.result.output, chain(0, 384, weights[0], weights[3]));

  const KvGeometry& kv = std::get<QkvBiasRopeStore>(c.op).kv;
  OpCase store{
      .op = KvStore{.kv = kv}, .inputs = {floats({128, 5}), floats({128, 5}), c.inputs[2]}, .n_cells = 128};
  OpData data = make_data(store, 1);
  data.inputs[0] = chain(384, 128, weights[1], weights[4]);
  data.inputs[1] = chained(Add{}, columns(qkv, 512, 128), 128, weights[2], {128}, true);
  const ReferenceRun stored(store, data);
  EXPECT_EQ(fused.result.keys, stored.result.keys);
  EXPECT_EQ(fused.result.values, stored.result.values);
}

}  // namespace minfer::test
