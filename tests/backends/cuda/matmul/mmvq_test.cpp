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

// Gate and up with their activations, and what the kernels make of them.
class FfnProblem {
 public:
  FfnProblem(const Format& format, std::int64_t n, std::int64_t k, std::int64_t n_tokens)
      : gate_(format.type, n, k, 21, format.planar),
        up_(format.type, n, k, 22, format.planar),
        x_(n_tokens, k, 23),
        n_(n),
        n_tokens_(n_tokens) {}

  std::vector<float> products() const {  // (n_tokens, 2 * n)
    DeviceArray<float> out(static_cast<std::size_t>(n_tokens_ * 2 * n_));
    MatmulArgs args = args_of(x_, DType::kQ8Row32, gate_.matrix.k, n_tokens_, out.get());
    add_weight(args, gate_);
    add_weight(args, up_);
    launch_mmvq(args, true, nullptr);
    return out.read();
  }
  template <typename T>
  std::vector<T> run(DType out_type) const {  // rows of out_type
    const std::size_t stride = row_bytes(out_type, n_);
    DeviceArray<T> out(stride * static_cast<std::size_t>(n_tokens_) / sizeof(T));
    FfnArgs args;
    args.gate = gate_.matrix;
    args.up = up_.matrix;
    args.x = x_.device_rows.get();
    args.x_stride = static_cast<std::int64_t>(x_.stride);
    args.out = out.get();
    args.out_type = out_type;
    args.out_stride = static_cast<std::int64_t>(stride);
    args.n_tokens = n_tokens_;
    launch_mmvq_ffn(args, true, nullptr);
    return out.read();
  }

 private:
  TestWeight gate_, up_;
  TestActivations x_;
  std::int64_t n_, n_tokens_;
};

// Gate, up and SwiGLU in one: against the products by themselves, which other tests check.
TEST(Mmvq, FfnIsSwigluOfTheProducts) {
  MINFER_NEED_GPU();
  for (const Format& format : kFormats)
    for (const std::size_t n : {1, 37, 160})
      for (const std::size_t n_tokens : {1, 2, 4, 6}) {
        const FfnProblem problem(format, static_cast<std::int64_t>(n), 1280,
                                 static_cast<std::int64_t>(n_tokens));
        const std::vector<float> products = problem.products(), got = problem.run<float>(DType::kF32);
        for (std::size_t i = 0; i < n_tokens * n; ++i) {
          const std::size_t gate = i / n * 2 * n + i % n;
          const double g = static_cast<double>(products[gate]), u = static_cast<double>(products[gate + n]);
          const double want = g / (1 + std::exp(-g)) * u;
          ASSERT_LE(std::fabs(static_cast<double>(got[i]) - want), 4e-6 * std::fabs(want) + 1e-30)
              << dtype_name(format.type) << " n " << n << " tokens " << n_tokens << " value " << i;
        }
      }
}

// Quantized output is that of the float output, bit for bit.
TEST(Mmvq, FfnQuantizesAsTheEncoderDoes) {
  MINFER_NEED_GPU();
  const std::size_t n = 160, scales = activation_scales_offset(n), sums = activation_sums_offset(n, 32);
  const std::size_t stride = row_bytes(DType::kQ8Row32, static_cast<std::int64_t>(n));
  for (const Format& format : kFormats)
    for (const std::size_t n_tokens : {1, 2, 4, 6}) {
      const FfnProblem problem(format, static_cast<std::int64_t>(n), 1280,
                               static_cast<std::int64_t>(n_tokens));
      const std::vector<float> floats = problem.run<float>(DType::kF32);
      const std::vector<std::byte> rows = problem.run<std::byte>(DType::kQ8Row32);
      std::vector<std::byte> expected(stride);
      for (std::size_t t = 0; t < n_tokens; ++t) {
        encode_q8_row32(&floats[t * n], expected.data(), static_cast<std::int64_t>(n));
        const std::byte* row = &rows[t * stride];
        EXPECT_EQ(0, std::memcmp(row, expected.data(), n));
        EXPECT_EQ(0, std::memcmp(row + scales, &expected[scales], n / 32 * 4));
        EXPECT_EQ(0, std::memcmp(row + sums, &expected[sums], n / 32 * 2));
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
