// Fused ops give the bits of the ops they replace.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "backends/cpu/node_runner.h"

namespace minfer::test {
namespace {

HostTensor row_block(const std::vector<float>& values, std::int64_t n_rows) {
  return f32(Shape{static_cast<std::int64_t>(values.size()) / n_rows, n_rows}, values);
}

std::vector<float> run_op(CpuBackend& backend, Op op, std::vector<HostTensor> inputs,
                          std::vector<HostTensor> weights) {
  NodeCase node;
  node.op = std::move(op);
  node.inputs = std::move(inputs);
  node.weights = std::move(weights);
  return run_node_f32(backend, node);
}

// The bytes of activation rows. Their padding keeps the poison of the runner, the same on both sides.
std::vector<std::byte> run_quantized(CpuBackend& backend, Op op, std::vector<HostTensor> inputs,
                                     std::vector<HostTensor> weights) {
  NodeCase node;
  node.op = std::move(op);
  node.inputs = std::move(inputs);
  node.weights = std::move(weights);
  return run_node(backend, node);
}

TEST(FusedBits, QuantizeEpilogues) {
  const std::int64_t n_rows = 5, n = 768;
  const auto x = random_floats(static_cast<std::size_t>(n_rows * n), 1);
  const auto y = random_floats(static_cast<std::size_t>(n_rows * n), 2);
  const HostTensor weight = f32(Shape{n}, random_floats(static_cast<std::size_t>(n), 3));
  for (const CpuOptions& options : all_configurations()) {
    CpuBackend backend(options);
    SCOPED_TRACE(name_of(options));
    const auto norm = run_op(backend, RmsNorm{.eps = 1e-6f}, {row_block(x, n_rows)}, {weight});
    const auto swiglu = run_op(backend, SwiGLU{}, {row_block(x, n_rows), row_block(y, n_rows)}, {});
    for (const DType type : {DType::kQ8Row32, DType::kQ8Row256}) {
      EXPECT_EQ(
          run_quantized(backend, RmsNorm{.eps = 1e-6f, .output = type}, {row_block(x, n_rows)}, {weight}),
          run_quantized(backend, Quantize{type}, {row_block(norm, n_rows)}, {}));
      EXPECT_EQ(run_quantized(backend, SwiGLU{type}, {row_block(x, n_rows), row_block(y, n_rows)}, {}),
                run_quantized(backend, Quantize{type}, {row_block(swiglu, n_rows)}, {}));
    }
  }
}

TEST(FusedBits, SwiGLUIsSiluTimesUp) {
  const auto gate = random_floats(3000, 1, 4.0f);
  const auto up = random_floats(3000, 2);
  CpuBackend backend(with_threads(2));
  const auto silu = run_op(backend, Silu{}, {row_block(gate, 3)}, {});
  EXPECT_EQ(run_op(backend, Mul{}, {row_block(silu, 3), row_block(up, 3)}, {}),
            run_op(backend, SwiGLU{}, {row_block(gate, 3), row_block(up, 3)}, {}));
}

struct QkvParameters {
  DType cell;
  RopeStyle style;
  bool has_bias;
  bool has_norm;
};

// The projections of 3 tokens, 4 query and 2 KV heads of 64, and everything around them.
class Qkv {
 public:
  explicit Qkv(const QkvParameters& parameters) : p_(parameters) {
    for (const unsigned seed : {5u, 6u, 7u}) bias_.push_back(random_floats(seed == 5 ? kQ : kKv, seed));
    for (const unsigned seed : {8u, 9u}) norm_.push_back(random_floats(kHeadDim, seed));
  }

  NodeCase fused() const {
    NodeCase node;
    node.op = QkvBiasRopeStore{geometry(), 4, p_.style, kRotated, p_.has_bias, p_.has_norm, kEps};
    std::vector<float> qkv;
    for (std::size_t t = 0; t < kTokens; ++t) {
      for (int which : {0, 1, 2}) {
        const auto row = slice(which, t);
        qkv.insert(qkv.end(), row.begin(), row.end());
      }
    }
    node.inputs = {row_block(qkv, kTokens), table(), cells()};
    if (p_.has_bias) {
      for (const auto& b : bias_) node.weights.push_back(f32(Shape{static_cast<std::int64_t>(b.size())}, b));
    }
    if (p_.has_norm) {
      for (const auto& w : norm_) node.weights.push_back(f32(Shape{kHeadDim}, w));
    }
    return with_regions(std::move(node));
  }

  // Query (0), key (1) or value (2) rows by the plain ops.
  std::vector<float> plain(CpuBackend& backend, int which) const {
    std::vector<float> x = rows_[static_cast<std::size_t>(which)];
    const auto at = static_cast<std::size_t>(which);
    if (p_.has_bias)
      x = run_op(backend, Add{}, {row_block(x, kTokens)},
                 {f32(Shape{static_cast<std::int64_t>(bias_[at].size())}, bias_[at])});
    if (which == 2) return x;
    if (p_.has_norm)
      x = run_op(backend, QkNorm{kHeadDim, kEps}, {row_block(x, kTokens)}, {f32(Shape{kHeadDim}, norm_[at])});
    return run_op(backend, RoPE{p_.style, kHeadDim, kRotated}, {row_block(x, kTokens), table()}, {});
  }

  NodeCase store(const std::vector<float>& k, const std::vector<float>& v) const {
    NodeCase node;
    node.op = KvStore{geometry()};
    node.inputs = {row_block(k, kTokens), row_block(v, kTokens), cells()};
    return with_regions(std::move(node));
  }

 private:
  static constexpr std::size_t kTokens = 3, kQ = 256, kKv = 128;
  static constexpr int kHeadDim = 64, kRotated = 48;
  static constexpr float kEps = 1e-6f;

  KvGeometry geometry() const { return {0, 2, kHeadDim, p_.cell}; }
  std::span<const float> slice(int which, std::size_t token) const {
    const std::size_t n = which == 0 ? kQ : kKv;
    return std::span(rows_[static_cast<std::size_t>(which)]).subspan(token * n, n);
  }
  HostTensor table() const { return row_block(random_floats(kTokens * kRotated, 10), kTokens); }
  HostTensor cells() const { return i32(Shape{3}, std::vector<std::int32_t>{64, 3, 127}); }
  NodeCase with_regions(NodeCase node) const {
    node.n_cells = 128;
    node.k.assign(128 * geometry().row_bytes(), std::byte{0x55});
    node.v = node.k;
    return node;
  }

  QkvParameters p_;
  std::vector<float> rows_[3] = {random_floats(kTokens * kQ, 1), random_floats(kTokens* kKv, 2),
                                 random_floats(kTokens* kKv, 3)};
  std::vector<std::vector<float>> bias_;
  std::vector<std::vector<float>> norm_;
};

TEST(FusedBits, QkvBiasRopeStore) {
  CpuBackend backend(with_threads(2));
  for (const DType cell : {DType::kF32, DType::kQ8_0}) {
    for (const RopeStyle style : {RopeStyle::kNeox, RopeStyle::kInterleaved}) {
      for (const bool has_bias : {false, true}) {
        for (const bool has_norm : {false, true}) {
          const Qkv qkv({cell, style, has_bias, has_norm});
          NodeCase fused = qkv.fused();
          const auto queries = run_node_f32(backend, fused);
          NodeCase plain = qkv.store(qkv.plain(backend, 1), qkv.plain(backend, 2));
          run_node(backend, plain);
          EXPECT_EQ(queries, qkv.plain(backend, 0));
          EXPECT_EQ(fused.k, plain.k);
          EXPECT_EQ(fused.v, plain.v);
        }
      }
    }
  }
}

}  // namespace
}  // namespace minfer::test
