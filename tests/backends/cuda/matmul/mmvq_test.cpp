#include "backends/cuda/matmul/mmvq.h"

#include <algorithm>

#include "backends/cuda/matmul/mmv_float.h"
#include "backends/cuda/matmul/product_case.h"

namespace minfer::cuda {
namespace {

struct Format {
  DType type;
  bool planar;
};

constexpr Format kFormats[] = {{DType::kQ4_0, false}, {DType::kQ4_1, false}, {DType::kQ5_0, false},
                               {DType::kQ5_1, false}, {DType::kQ8_0, false}, {DType::kQ4_K, false},
                               {DType::kQ5_K, false}, {DType::kQ6_K, false}, {DType::kQ4_0, true},
                               {DType::kQ4_1, true},  {DType::kQ5_0, true},  {DType::kQ5_1, true},
                               {DType::kQ8_0, true},  {DType::kQ6_K, true}};

// Columns of odd counts of blocks, and one with more chunks than a warp takes at a time.
std::vector<std::int64_t> columns_of(DType type) {
  if (dtype_info(type).block_values == 256) return {256, 768, 2816};
  return {32, 96, 1056, 3200};
}

MatmulArgs args_of(const TestActivations& x, DType x_type, std::int64_t k, std::int64_t n_tokens,
                   float* out) {
  MatmulArgs args;
  args.x_type = x_type;
  args.x = x_type == DType::kF32 ? static_cast<const void*>(x.device_floats.get()) : x.device_rows.get();
  args.x_stride = x_type == DType::kF32 ? 4 * k : static_cast<std::int64_t>(x.stride);
  args.n_weights = 0;
  args.out = out;
  args.n_tokens = n_tokens;
  return args;
}

void add_weight(MatmulArgs& args, const TestWeight& w) {
  args.weights[args.n_weights++] = w.matrix;
  args.n_out += w.matrix.n;
}

// Every output against the float64 dot of decoded weights and decoded activations.
void expect_exact(const std::vector<float>& out, const TestWeight& w, const std::vector<float>& x,
                  std::int64_t n_tokens, std::int64_t n_out, std::int64_t first, const char* what) {
  const std::int64_t k = w.matrix.k;
  for (std::int64_t t = 0; t < n_tokens; ++t) {
    for (std::int64_t r = 0; r < w.matrix.n; ++r) {
      const ExactDot dot =
          exact_dot(&w.values[static_cast<std::size_t>(r * k)], &x[static_cast<std::size_t>(t * k)], k);
      const double got = static_cast<double>(out[static_cast<std::size_t>(t * n_out + first + r)]);
      ASSERT_LE(std::fabs(got - dot.sum), 1e-6 * dot.magnitude)
          << what << " " << dtype_name(w.matrix.type) << " n " << w.matrix.n << " k " << k << " tokens "
          << n_tokens << " row " << r << " token " << t << ": " << got << " for " << dot.sum;
    }
  }
}

TEST(Mmvq, EqualsTheExactDot) {
  MINFER_NEED_GPU();
  for (const Format& format : kFormats) {
    for (const std::int64_t k : columns_of(format.type)) {
      for (const std::int64_t n : {1, 3, 67, 1030}) {
        const TestWeight w(format.type, n, k, 7, format.planar);
        for (const std::int64_t n_tokens : {1, 2, 3, 5, 8}) {
          const TestActivations x(n_tokens, k, 11);
          DeviceArray<float> out(static_cast<std::size_t>(n_tokens * n));
          MatmulArgs args = args_of(x, DType::kQ8Row32, k, n_tokens, out.get());
          add_weight(args, w);
          launch_mmvq(args, true, nullptr);
          expect_exact(out.read(), w, x.decoded, n_tokens, n, 0, format.planar ? "planar" : "raw");
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// A token's results have the same bits beside any others: rows are summed in one order.
TEST(Mmvq, BitsDoNotDependOnTheNumberOfTokens) {
  MINFER_NEED_GPU();
  const std::int64_t k = 2816, n = 515;
  const TestWeight w(DType::kQ4_K, n, k, 3, false);
  const TestActivations x(8, k, 4);
  DeviceArray<float> out(static_cast<std::size_t>(8 * n));
  const auto run = [&](std::int64_t n_tokens) {
    out.poison();
    MatmulArgs args = args_of(x, DType::kQ8Row32, k, n_tokens, out.get());
    add_weight(args, w);
    launch_mmvq(args, false, nullptr);
    return out.read();
  };
  const std::vector<float> all = run(8);
  for (const std::int64_t n_tokens : {1, 2, 4, 7}) {
    const std::vector<float> some = run(n_tokens);
    EXPECT_EQ(0, std::memcmp(some.data(), all.data(), static_cast<std::size_t>(n_tokens * n) * 4))
        << n_tokens;
  }
}

// Several matrices in a launch, of one type and of two: the same bits as one by one.
TEST(Mmvq, SeveralMatricesGiveTheSameBits) {
  MINFER_NEED_GPU();
  const std::int64_t k = 1024;
  const TestWeight q(DType::kQ4_K, 1028, k, 1, false), kw(DType::kQ4_K, 130, k, 2, false),
      v(DType::kQ6_K, 129, k, 3, true);
  for (const std::int64_t n_tokens : {1, 3}) {
    const TestActivations x(n_tokens, k, 5);
    DeviceArray<float> out(static_cast<std::size_t>(n_tokens * (1028 + 130 + 129)));
    MatmulArgs args = args_of(x, DType::kQ8Row32, k, n_tokens, out.get());
    for (const TestWeight* w : {&q, &kw, &v}) add_weight(args, *w);
    launch_mmvq(args, true, nullptr);
    const std::vector<float> together = out.read();
    std::int64_t first = 0;
    for (const TestWeight* w : {&q, &kw, &v}) {
      DeviceArray<float> alone(static_cast<std::size_t>(n_tokens * w->matrix.n));
      MatmulArgs one = args_of(x, DType::kQ8Row32, k, n_tokens, alone.get());
      add_weight(one, *w);
      launch_mmvq(one, true, nullptr);
      const std::vector<float> got = alone.read();
      for (std::int64_t t = 0; t < n_tokens; ++t) {
        EXPECT_EQ(0, std::memcmp(&got[static_cast<std::size_t>(t * w->matrix.n)],
                                 &together[static_cast<std::size_t>(t * args.n_out + first)],
                                 static_cast<std::size_t>(w->matrix.n) * 4));
      }
      first += w->matrix.n;
    }
  }
}

// Gate, up and SwiGLU in one: against the products by themselves, which other tests check.
TEST(Mmvq, FfnIsSwigluOfTheProducts) {
  MINFER_NEED_GPU();
  for (const Format& format : kFormats) {
    const std::int64_t k = 1280, n = 352;
    const TestWeight gate(format.type, n, k, 21, format.planar), up(format.type, n, k, 22, format.planar);
    for (const std::int64_t n_tokens : {1, 2, 4, 6}) {
      const TestActivations x(n_tokens, k, 23);
      DeviceArray<float> out(static_cast<std::size_t>(n_tokens * n)),
          products(static_cast<std::size_t>(n_tokens * 2 * n));
      const std::size_t stride = row_bytes(DType::kQ8Row32, n);
      DeviceArray<std::byte> rows(stride * static_cast<std::size_t>(n_tokens));
      MatmulArgs args = args_of(x, DType::kQ8Row32, k, n_tokens, products.get());
      add_weight(args, gate);
      add_weight(args, up);
      launch_mmvq(args, true, nullptr);
      FfnArgs ffn{gate.matrix,
                  up.matrix,
                  x.device_rows.get(),
                  DType::kQ8Row32,
                  static_cast<std::int64_t>(x.stride),
                  out.get(),
                  DType::kF32,
                  4 * n,
                  n_tokens,
                  nullptr};
      launch_mmvq_ffn(ffn, true, nullptr);
      ffn.out = rows.get();
      ffn.out_type = DType::kQ8Row32;
      ffn.out_stride = static_cast<std::int64_t>(stride);
      launch_mmvq_ffn(ffn, true, nullptr);
      const std::vector<float> got = out.read(), both = products.read();
      const std::vector<std::byte> quantized = rows.read();
      std::vector<std::byte> expected(stride);
      for (std::int64_t t = 0; t < n_tokens; ++t) {
        for (std::int64_t r = 0; r < n; ++r) {
          const double g = static_cast<double>(both[static_cast<std::size_t>(t * 2 * n + r)]);
          const double u = static_cast<double>(both[static_cast<std::size_t>(t * 2 * n + n + r)]);
          const double want = g / (1 + std::exp(-g)) * u,
                       is = static_cast<double>(got[static_cast<std::size_t>(t * n + r)]);
          ASSERT_LE(std::fabs(is - want), 4e-6 * std::fabs(want) + 1e-30)
              << dtype_name(format.type) << " row " << r;
        }
        encode_q8_row32(&got[static_cast<std::size_t>(t * n)], expected.data(), n);
        const std::byte* row = &quantized[static_cast<std::size_t>(t) * stride];
        const std::size_t scales = activation_scales_offset(static_cast<std::size_t>(n));
        const std::size_t sums = activation_sums_offset(static_cast<std::size_t>(n), 32);
        EXPECT_EQ(0, std::memcmp(row, expected.data(), static_cast<std::size_t>(n)));
        EXPECT_EQ(0, std::memcmp(row + scales, &expected[scales], static_cast<std::size_t>(n) / 32 * 4));
        EXPECT_EQ(0, std::memcmp(row + sums, &expected[sums], static_cast<std::size_t>(n) / 32 * 2));
      }
    }
  }
}

TEST(MmvFloat, EqualsTheExactDot) {
  MINFER_NEED_GPU();
  for (const DType type : {DType::kF32, DType::kF16, DType::kBF16}) {
    for (const std::int64_t k : {8, 96, 2080}) {
      for (const std::int64_t n : {1, 67}) {
        const TestWeight w(type, n, k, 31, false);
        for (const std::int64_t n_tokens : {1, 2, 3, 8}) {
          const TestActivations x(n_tokens, (k + 31) / 32 * 32,
                                  32);  // rows of k floats are the first of these
          DeviceArray<float> out(static_cast<std::size_t>(n_tokens * n));
          MatmulArgs args = args_of(x, DType::kF32, k, n_tokens, out.get());
          add_weight(args, w);
          launch_mmv_float(args, true, nullptr);
          expect_exact(out.read(), w, x.floats, n_tokens, n, 0, "float");
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace minfer::cuda
