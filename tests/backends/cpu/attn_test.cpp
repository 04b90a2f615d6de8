// Attention on the CPU: the direct formula in double precision, and equal bits however the work is cut.
#include "ops/attn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "backends/cpu/node_runner.h"
#include "minfer/error.h"
#include "quant/traits.h"

namespace minfer::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// A sequence's keys and values, and queries for its tokens, all by position.
struct Sequence {
  int n_head, n_head_kv, head_dim;
  std::int64_t length;
  std::vector<float> q, k, v;

  Sequence(int heads, int kv_heads, int dim, std::int64_t n)
      : n_head(heads), n_head_kv(kv_heads), head_dim(dim), length(n) {
    const auto rows = static_cast<std::size_t>(n);
    q = random_floats(rows * static_cast<std::size_t>(heads * dim), 1, 2.0f);
    k = random_floats(rows * static_cast<std::size_t>(kv_heads * dim), 2);
    v = random_floats(rows * static_cast<std::size_t>(kv_heads * dim), 3);
  }
  float scale() const { return 1.0f / std::sqrt(static_cast<float>(head_dim)); }
  std::span<const float> q_rows(std::int64_t first, std::int64_t n) const {
    const auto row = static_cast<std::size_t>(n_head * head_dim);
    return std::span(q).subspan(static_cast<std::size_t>(first) * row, static_cast<std::size_t>(n) * row);
  }
};

std::vector<std::byte> encode_row(DType cell, const float* row, std::int64_t n) {
  std::vector<std::byte> bytes(row_bytes(cell, n));
  quant_traits(cell).encode(row, bytes.data(), n);
  return bytes;
}

// A case for tokens [first, first + n) of the sequence. Its pages lie in the order of `pages`; every cell
// that holds no position up to the last token's is NaN.
NodeCase attn_case(const Sequence& s, DType cell, std::int64_t first, std::int64_t n,
                   const std::vector<std::int32_t>& pages, std::int64_t max_pages = 0) {
  NodeCase result;
  Attn op{.kv = {.layer = 0, .n_head_kv = s.n_head_kv, .head_dim = s.head_dim, .cell = cell},
          .n_head = s.n_head,
          .scale = s.scale()};
  result.op = op;
  result.n_cells = (*std::max_element(pages.begin(), pages.end()) + 1) * std::int64_t{kKvPageSize};
  const std::size_t row = op.kv.row_bytes();
  result.k.assign(static_cast<std::size_t>(result.n_cells) * row, std::byte{0xff});
  result.v = result.k;
  for (std::int64_t p = 0; p < first + n; ++p) {
    const std::int64_t at =
        pages[static_cast<std::size_t>(p / kKvPageSize)] * std::int64_t{kKvPageSize} + p % kKvPageSize;
    const auto values = op.kv.row_values();
    std::ranges::copy(encode_row(cell, s.k.data() + p * values, values),
                      result.k.begin() + at * static_cast<std::int64_t>(row));
    std::ranges::copy(encode_row(cell, s.v.data() + p * values, values),
                      result.v.begin() + at * static_cast<std::int64_t>(row));
  }
  std::vector<std::int32_t> positions(static_cast<std::size_t>(n));
  std::iota(positions.begin(), positions.end(), static_cast<std::int32_t>(first));
  const std::vector<std::int32_t> slots(positions.size(), 0);
  std::vector<std::int32_t> table = pages;
  table.resize(std::max(table.size(), static_cast<std::size_t>(max_pages)), -1);
  result.inputs = {f32(Shape{std::int64_t{s.n_head} * s.head_dim, n}, s.q_rows(first, n)), handle(),
                   i32(Shape{n}, positions), i32(Shape{n}, slots),
                   i32(Shape{static_cast<std::int64_t>(table.size()), 1}, table)};
  return result;
}

std::vector<std::int32_t> ascending_pages(std::int64_t length) {
  std::vector<std::int32_t> pages(static_cast<std::size_t>((length + kKvPageSize - 1) / kKvPageSize));
  std::iota(pages.begin(), pages.end(), 0);
  return pages;
}

// softmax(scale * q . k) . v in double precision, of the token at `position`.
std::vector<double> direct_formula(const Sequence& s, std::int64_t position) {
  std::vector<double> out;
  const std::int64_t kv_row = std::int64_t{s.n_head_kv} * s.head_dim;
  for (int h = 0; h < s.n_head; ++h) {
    const float* q = s.q.data() + (position * s.n_head + h) * s.head_dim;
    const std::int64_t kv_first = std::int64_t{h / (s.n_head / s.n_head_kv)} * s.head_dim;
    std::vector<double> weights;
    for (std::int64_t p = 0; p <= position; ++p) {
      double dot = 0;
      for (int d = 0; d < s.head_dim; ++d)
        dot += static_cast<double>(q[d]) *
               static_cast<double>(s.k[static_cast<std::size_t>(p * kv_row + kv_first + d)]);
      weights.push_back(dot * static_cast<double>(s.scale()));
    }
    const double largest = *std::ranges::max_element(weights);
    double sum = 0;
    for (double& w : weights) sum += w = std::exp(w - largest);
    for (int d = 0; d < s.head_dim; ++d) {
      double value = 0;
      for (std::int64_t p = 0; p <= position; ++p)
        value += weights[static_cast<std::size_t>(p)] / sum *
                 static_cast<double>(s.v[static_cast<std::size_t>(p * kv_row + kv_first + d)]);
      out.push_back(value);
    }
  }
  return out;
}

class AttnBits : public testing::TestWithParam<DType> {};

TEST(Attn, MatchesTheDirectFormula) {
  CpuBackend backend(with_threads(2));
  for (const std::int64_t length : {1, 2, 63, 64, 65, 130, 511, 512, 513, 1100}) {
    const Sequence s(6, 2, 40, length);  // a head of two words and a half
    NodeCase node = attn_case(s, DType::kF32, length - 1, 1, ascending_pages(length));
    const std::vector<float> out = run_node_f32(backend, node);
    const std::vector<double> expected = direct_formula(s, length - 1);
    ASSERT_EQ(out.size(), expected.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_NEAR(static_cast<double>(out[i]), expected[i], 2e-6) << length << " keys, value " << i;
  }
}

TEST_P(AttnBits, DoNotDependOnThreadsOrInstructionSet) {
  const Sequence s(6, 2, 64, 1300);
  NodeCase prefill = attn_case(s, GetParam(), 1300 - 40, 40, ascending_pages(1300));
  NodeCase decode = attn_case(s, GetParam(), 1299, 1, ascending_pages(1300), 64);
  std::vector<std::byte> first_prefill, first_decode;
  for (const CpuOptions& options : all_configurations()) {
    CpuBackend backend(options);
    const std::vector<std::byte> p = run_node(backend, prefill);
    const std::vector<std::byte> d = run_node(backend, decode);
    if (first_prefill.empty()) first_prefill = p, first_decode = d;
    EXPECT_EQ(p, first_prefill) << name_of(options);
    EXPECT_EQ(d, first_decode) << name_of(options);
  }
}

// Each token of a chunk alone gives what it gives in the chunk, around the ends of blocks and segments.
TEST_P(AttnBits, DoNotDependOnChunks) {
  const Sequence s(6, 2, 64, 530);
  CpuBackend backend(with_threads(3));
  for (const std::int64_t first : {std::int64_t{0}, std::int64_t{55}, std::int64_t{500}}) {
    const std::int64_t n = 30;
    NodeCase chunk = attn_case(s, GetParam(), first, n, ascending_pages(530));
    const std::vector<std::byte> together = run_node(backend, chunk);
    std::vector<std::byte> alone;
    for (std::int64_t t = 0; t < n; ++t) {
      NodeCase token = attn_case(s, GetParam(), first + t, 1, ascending_pages(530), 64);
      std::ranges::copy(run_node(backend, token), std::back_inserter(alone));
    }
    EXPECT_EQ(alone, together) << "from position " << first;
  }
}

TEST_P(AttnBits, DoNotDependOnPages) {
  const Sequence s(4, 4, 32, 700);
  CpuBackend backend(with_threads(2));
  NodeCase plain = attn_case(s, GetParam(), 690, 10, ascending_pages(700));
  std::vector<std::int32_t> shuffled(30);
  std::iota(shuffled.begin(), shuffled.end(), 0);
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(7));
  NodeCase scattered = attn_case(s, GetParam(), 690, 10, shuffled);
  EXPECT_EQ(run_node(backend, plain), run_node(backend, scattered));
}

// Two sequences in one batch, their tokens interleaved, against each on its own.
TEST_P(AttnBits, DoNotDependOnTheBatch) {
  const Sequence s(4, 2, 64, 600);
  CpuBackend backend(with_threads(2));
  const std::int64_t row = 4 * 64;
  std::vector<std::int32_t> pages = ascending_pages(600);
  NodeCase batch = attn_case(s, GetParam(), 590, 10, pages);
  const std::vector<std::byte> expected = run_node(backend, batch);
  // The second slot is the same sequence in the same pages, so that token t of either slot has one right
  // answer.
  std::vector<float> q;
  std::vector<std::int32_t> positions, slots;
  for (std::int64_t t = 0; t < 10; ++t) {
    for (const std::int32_t slot : {1, 0}) {
      const auto values = s.q_rows(590 + t, 1);
      q.insert(q.end(), values.begin(), values.end());
      positions.push_back(static_cast<std::int32_t>(590 + t));
      slots.push_back(slot);
    }
  }
  std::vector<std::int32_t> table = pages;
  table.insert(table.end(), pages.begin(), pages.end());
  batch.inputs = {f32(Shape{row, 20}, q), handle(), i32(Shape{20}, positions), i32(Shape{20}, slots),
                  i32(Shape{static_cast<std::int64_t>(pages.size()), 2}, table)};
  const std::vector<std::byte> both = run_node(backend, batch);
  const std::ptrdiff_t bytes = row * static_cast<std::ptrdiff_t>(sizeof(float));
  for (std::ptrdiff_t t = 0; t < 20; ++t)
    EXPECT_TRUE(std::equal(both.begin() + t * bytes, both.begin() + (t + 1) * bytes,
                           expected.begin() + t / 2 * bytes))
        << "token " << t;
}

INSTANTIATE_TEST_SUITE_P(Cells, AttnBits, testing::Values(DType::kF32, DType::kF16, DType::kQ8_0),
                         [](const auto& cell) { return std::string(dtype_name(cell.param)); });

// Packed cells, computed on or decoded first, stay within the rounding of 8 bits of the exact result.
TEST(Attn, PackedCellsAreNearTheDirectFormula) {
  const Sequence s(6, 2, 64, 600);
  const std::vector<double> expected = direct_formula(s, 599);
  std::vector<std::vector<float>> results;
  for (const bool fused : {true, false}) {
    CpuBackend backend(with_threads(2, fused));
    NodeCase node = attn_case(s, DType::kQ8_0, 599, 1, ascending_pages(600));
    results.push_back(run_node_f32(backend, node));
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(static_cast<double>(results.back()[i]), expected[i], 0.02) << "fused " << fused;
  }
  EXPECT_NE(results[0], results[1]);  // the lever does switch paths
}

// Float16 is exact in float32; the other path of packed cells decodes them first.
TEST(Attn, DecodedCellsGiveTheBitsOfFloatCellsWithTheSameValues) {
  for (const DType cell : {DType::kF16, DType::kQ8_0}) {
    Sequence s(6, 2, cell == DType::kF16 ? 40 : 64, 600);  // a head of two words and a half
    for (std::vector<float>* values : {&s.k, &s.v}) {
      const auto n = static_cast<std::int64_t>(values->size());
      const std::vector<std::byte> encoded = encode_row(cell, values->data(), n);
      quant_traits(cell).decode(encoded.data(), values->data(), n);
    }
    CpuBackend backend(with_threads(2, false));
    for (const std::int64_t n : {1, 3, 30, 150}) {
      NodeCase encoded = attn_case(s, cell, 600 - n, n, ascending_pages(600));
      NodeCase floats = attn_case(s, DType::kF32, 600 - n, n, ascending_pages(600));
      EXPECT_EQ(run_node(backend, encoded), run_node(backend, floats)) << dtype_name(cell) << ", " << n;
    }
  }
}

TEST(Attn, NamesWhatIsOutOfRange) {
  const Sequence s(2, 1, 32, 70);
  CpuBackend backend(with_threads(1));
  const auto message = [&](NodeCase node) {
    try {
      run_node(backend, node);
    } catch (const InternalError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const NodeCase good = attn_case(s, DType::kF32, 69, 1, ascending_pages(70));
  NodeCase node = good;
  node.inputs[2] = i32(Shape{1}, std::vector<std::int32_t>{128});
  EXPECT_NE(message(node).find("node: token 0 has position 128"), std::string::npos) << message(node);
  node.inputs[2] = i32(Shape{1}, std::vector<std::int32_t>{-1});
  EXPECT_NE(message(node).find("position -1"), std::string::npos) << message(node);
  node = good;
  node.inputs[3] = i32(Shape{1}, std::vector<std::int32_t>{1});
  EXPECT_NE(message(node).find("slot 1 of 1"), std::string::npos) << message(node);
  for (const std::int32_t page : {-1, 2}) {
    node = good;
    node.inputs[4] = i32(Shape{2, 1}, std::vector<std::int32_t>{0, page});
    EXPECT_NE(message(node).find("page 1 of slot 0 is " + std::to_string(page)), std::string::npos)
        << message(node);
  }
  node = good;
  node.k.resize(node.k.size() - 1);
  EXPECT_NE(message(node).find("KV regions of"), std::string::npos) << message(node);
}

// A key past the bound must not enter even a product: NaN there would show. One at the bound must.
TEST(Attn, ReadsExactlyTheKeysUpToThePosition) {
  const Sequence s(2, 1, 32, 100);
  CpuBackend backend(with_threads(1));
  NodeCase node = attn_case(s, DType::kF32, 99, 1, ascending_pages(100));
  for (const std::int32_t position : {97, 99}) {
    node.inputs[2] = i32(Shape{1}, std::vector<std::int32_t>{position});
    NodeCase poisoned = node;
    auto* values = reinterpret_cast<float*>(poisoned.v.data());
    std::fill_n(values + 98 * 32, 32, kNan);
    EXPECT_EQ(std::isnan(run_node_f32(backend, poisoned)[0]), position >= 98) << position;
  }
}

}  // namespace
}  // namespace minfer::test
