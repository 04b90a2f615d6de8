#include "ops/rope.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <complex>

#include "support/reference_run.h"

namespace minfer::test {
namespace {

OpCase rotation(RopeStyle style, int n_head, int head_dim, int n_dims, std::int64_t n_tokens) {
  return {.variant = style == RopeStyle::kNeox ? "neox" : "interleaved",
          .op = RoPE{.style = style, .head_dim = head_dim, .n_dims = n_dims},
          .inputs = {floats({n_head * head_dim, n_tokens}), floats({n_dims, n_tokens})},
          .tolerance = 1e-6,
          .note = fmt::format("heads of {}", head_dim)};
}

}  // namespace

template <>
std::vector<OpCase> op_cases<RoPE>() {
  std::vector<OpCase> cases;
  for (const RopeStyle style : {RopeStyle::kNeox, RopeStyle::kInterleaved})
    for (const int head_dim : {32, 64, 80, 128, 256})
      for (const int n_dims : {head_dim, head_dim / 2})
        for (const std::int64_t n_tokens : {1, 7})
          cases.push_back(rotation(style, 3, head_dim, n_dims, n_tokens));
  return cases;
}

// A pair is a complex number, and a rotation a multiplication with cos + i sin. Dimensions past n_dims stay.
TEST(ReferenceRoPE, MultipliesPairsAsComplexNumbers) {
  for (const RopeStyle style : {RopeStyle::kNeox, RopeStyle::kInterleaved}) {
    const ReferenceRun run(rotation(style, 2, 8, 6, 3));
    const auto x = run.input(0);
    const auto table = run.input(1);
    const auto y = run.output();
    for (std::size_t head = 0; head < 6; ++head) {
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t a = head * 8 + (style == RopeStyle::kNeox ? i : 2 * i);
        const std::size_t b = head * 8 + (style == RopeStyle::kNeox ? i + 3 : 2 * i + 1);
        const std::size_t row = head / 2 * 6;
        const auto turned =
            std::complex<double>(x[a], x[b]) * std::complex<double>(table[row + i], table[row + 3 + i]);
        EXPECT_FLOAT_EQ(y[a], static_cast<float>(turned.real()));
        EXPECT_FLOAT_EQ(y[b], static_cast<float>(turned.imag()));
      }
      EXPECT_EQ(y[head * 8 + 6], x[head * 8 + 6]);
      EXPECT_EQ(y[head * 8 + 7], x[head * 8 + 7]);
    }
  }
}

}  // namespace minfer::test
