#include "backends/cuda/matmul/gemm_f16.h"

#include <array>

#include "backends/cuda/matmul/product_case.h"

namespace minfer::cuda {
namespace {

// Rows of a weight and of activations as float16, made by the kernels under test.
struct F16Operands {
  F16Operands(const TestWeight& weight, const TestActivations& x, std::int64_t n_tokens)
      : w(static_cast<std::size_t>(weight.matrix.n * weight.matrix.k)),
        a(static_cast<std::size_t>(n_tokens * weight.matrix.k)),
        scale(static_cast<std::size_t>(n_tokens)) {
    const WeightMatrix& m = weight.matrix;
    launch_decode_f16({m, 0, m.n, w.get(), false, 0}, true, nullptr);
    launch_activations_f16(x.device_floats.get(), DType::kF32, 4 * m.k, m.k, n_tokens, a.get(), scale.get(),
                           true, nullptr);
  }
  GemmF16Args args(const TestWeight& weight, std::int64_t n_tokens, float* out) const {
    GemmF16Args g;
    g.w = w.get();
    g.x = a.get();
    g.token_scale = scale.get();
    g.out = out;
    g.out_stride = weight.matrix.n;
    g.n = static_cast<int>(weight.matrix.n);
    g.k = static_cast<int>(weight.matrix.k);
    g.n_tokens = static_cast<int>(n_tokens);
    return g;
  }
  DeviceArray<std::uint16_t> w, a;
  DeviceArray<float> scale;
};

// Both operands are rounded to 11 bits: an error of each product, which add up like noise.
void expect_close(const std::vector<float>& out, const TestWeight& w, const TestActivations& x,
                  std::int64_t n_tokens, const char* what) {
  const std::int64_t n = w.matrix.n, k = w.matrix.k;
  for (std::int64_t t = 0; t < n_tokens; ++t) {
    for (std::int64_t r = 0; r < n; ++r) {
      const ExactDot dot = exact_dot(&w.values[static_cast<std::size_t>(r * k)],
                                     &x.floats[static_cast<std::size_t>(t * k)], k);
      const double got = static_cast<double>(out[static_cast<std::size_t>(t * n + r)]);
      ASSERT_LE(std::fabs(got - dot.sum), 1.5e-3 * std::sqrt(dot.energy))
          << what << " " << dtype_name(w.matrix.type) << " n " << n << " k " << k << " tokens " << n_tokens
          << " row " << r << " token " << t << ": " << got << " for " << dot.sum;
    }
  }
}

struct Case {
  DType type;
  bool planar;
  std::int64_t n, k, n_tokens;
};

constexpr Case kCases[] = {{DType::kQ4_K, false, 200, 768, 9},  {DType::kQ4_K, false, 128, 256, 300},
                           {DType::kQ5_K, false, 77, 512, 130}, {DType::kQ6_K, true, 130, 768, 70},
                           {DType::kQ6_K, false, 64, 256, 17},  {DType::kQ8_0, true, 513, 96, 33},
                           {DType::kQ8_0, false, 40, 160, 12},  {DType::kQ4_0, true, 129, 32, 129},
                           {DType::kQ4_0, false, 16, 96, 10},   {DType::kQ4_1, true, 100, 224, 65},
                           {DType::kQ4_1, false, 20, 64, 11},   {DType::kQ5_0, true, 100, 352, 66},
                           {DType::kQ5_0, false, 20, 64, 9},    {DType::kQ5_1, true, 90, 96, 257},
                           {DType::kQ5_1, false, 24, 64, 10},   {DType::kF16, false, 300, 96, 100},
                           {DType::kBF16, false, 65, 160, 40},  {DType::kF32, false, 33, 64, 513}};

TEST(GemmF16, EqualsTheExactDotWithinRounding) {
  MINFER_NEED_GPU();
  const DeviceLimits limits = test_limits();
  if (gemm_f16_sm90_supported(limits)) prepare_gemm_f16_sm90();
  for (const Case& c : kCases) {
    const TestWeight w(c.type, c.n, c.k, 41, c.planar);
    const TestActivations x(c.n_tokens, c.k, 42);
    const F16Operands operands(w, x, c.n_tokens);
    DeviceArray<float> out(static_cast<std::size_t>(c.n_tokens * c.n));
    const GemmF16Args args = operands.args(w, c.n_tokens, out.get());
    if (gemm_f16_mma_supported(limits)) {
      launch_gemm_f16_mma(args, limits.compute_capability >= 90, nullptr);
      expect_close(out.read(), w, x, c.n_tokens, "mma");
      if (HasFatalFailure()) return;
    }
    if (gemm_f16_sm90_supported(limits)) {
      out.poison();
      launch_gemm_f16_sm90(args, limits, nullptr);
      expect_close(out.read(), w, x, c.n_tokens, "sm90");
      if (HasFatalFailure()) return;
    }
  }
}

// Floats of very different rows: the pairs keep 22 bits of each, relative to its row's largest.
TEST(GemmF16, PairsKeepWhatFloatsHave) {
  MINFER_NEED_GPU();
  const DeviceLimits limits = test_limits();
  if (gemm_f16_sm90_supported(limits)) prepare_gemm_f16_sm90();
  for (const auto& [n, k, n_tokens] :
       {std::array<std::int64_t, 3>{200, 96, 33}, {129, 1024, 65}, {16, 4096, 300}}) {
    std::vector<float> w = random_floats(static_cast<std::size_t>(n * k), 61);
    std::vector<float> x = random_floats(static_cast<std::size_t>(n_tokens * k), 62);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] *= std::exp2f(static_cast<float>(i / k % 60) - 40);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= std::exp2f(static_cast<float>(i / k % 50) - 20);
    const DeviceArray<float> device_w(w), device_x(x);
    DeviceArray<std::uint16_t> pairs_w(w.size() * kSplitParts), pairs_x(x.size() * kSplitParts);
    DeviceArray<float> row_scale(static_cast<std::size_t>(n)),
        token_scale(static_cast<std::size_t>(n_tokens)), out(static_cast<std::size_t>(n_tokens * n));
    launch_split_f16({device_w.get(), k, k, n, pairs_w.get(), row_scale.get(), true}, true, nullptr);
    launch_split_f16({device_x.get(), k, k, n_tokens, pairs_x.get(), token_scale.get()}, true, nullptr);
    GemmF16Args args;
    args.w = pairs_w.get();
    args.x = pairs_x.get();
    args.token_scale = token_scale.get();
    args.row_scale = row_scale.get();
    args.out = out.get();
    args.out_stride = n;
    args.n = static_cast<int>(n);
    args.k = static_cast<int>(kSplitParts * k);
    args.n_tokens = static_cast<int>(n_tokens);
    const auto check = [&](const char* what) {
      const std::vector<float> got = out.read();
      for (std::int64_t i = 0; i < n_tokens * n; ++i) {
        const ExactDot dot =
            exact_dot(&w[static_cast<std::size_t>(i % n * k)], &x[static_cast<std::size_t>(i / n * k)], k);
        ASSERT_LE(std::fabs(static_cast<double>(got[static_cast<std::size_t>(i)]) - dot.sum),
                  0x1p-18 * dot.magnitude)
            << what << " k " << k << " row " << i % n << " token " << i / n;
      }
    };
    if (gemm_f16_mma_supported(limits)) {
      launch_gemm_f16_mma(args, limits.compute_capability >= 90, nullptr);
      check("mma");
      if (HasFatalFailure()) return;
    }
    if (gemm_f16_sm90_supported(limits)) {
      out.poison();
      launch_gemm_f16_sm90(args, limits, nullptr);
      check("sm90");
      if (HasFatalFailure()) return;
    }
  }
}

TEST(GemmF16, SwigluOfRowsInTurns) {
  MINFER_NEED_GPU();
  const DeviceLimits limits = test_limits();
  if (gemm_f16_sm90_supported(limits)) prepare_gemm_f16_sm90();
  const std::int64_t n = 152, k = 512, n_tokens = 75;
  const TestWeight gate(DType::kQ4_K, n, k, 51, false), up(DType::kQ4_K, n, k, 52, false);
  const TestActivations x(n_tokens, k, 53);
  DeviceArray<std::uint16_t> w(static_cast<std::size_t>(2 * n * k)),
      a(static_cast<std::size_t>(n_tokens * k));
  DeviceArray<float> scale(static_cast<std::size_t>(n_tokens)), out(static_cast<std::size_t>(n_tokens * n));
  launch_decode_f16({gate.matrix, 0, n, w.get(), true, 0}, true, nullptr);
  launch_decode_f16({up.matrix, 0, n, w.get(), true, 1}, true, nullptr);
  launch_activations_f16(x.device_rows.get(), DType::kQ8Row32, static_cast<std::int64_t>(x.stride), k,
                         n_tokens, a.get(), scale.get(), true, nullptr);
  GemmF16Args args{w.get(),
                   a.get(),
                   scale.get(),
                   nullptr,
                   out.get(),
                   n,
                   static_cast<int>(2 * n),
                   static_cast<int>(k),
                   static_cast<int>(n_tokens),
                   true};
  const auto check = [&](const char* what) {
    const std::vector<float> got = out.read();
    for (std::int64_t t = 0; t < n_tokens; ++t) {
      for (std::int64_t r = 0; r < n; ++r) {
        const float* xs = &x.decoded[static_cast<std::size_t>(t * k)];
        const ExactDot g = exact_dot(&gate.values[static_cast<std::size_t>(r * k)], xs, k);
        const ExactDot u = exact_dot(&up.values[static_cast<std::size_t>(r * k)], xs, k);
        const double want = g.sum / (1 + std::exp(-g.sum)) * u.sum;
        const double slack =
            1.5e-3 * (1.2 * std::sqrt(g.energy) * std::fabs(u.sum) + std::fabs(g.sum) * std::sqrt(u.energy));
        ASSERT_LE(std::fabs(static_cast<double>(got[static_cast<std::size_t>(t * n + r)]) - want),
                  slack + 1e-4)
            << what << " row " << r << " token " << t;
      }
    }
  };
  if (gemm_f16_mma_supported(limits)) {
    launch_gemm_f16_mma(args, false, nullptr);
    check("mma");
  }
  if (gemm_f16_sm90_supported(limits)) {
    out.poison();
    launch_gemm_f16_sm90(args, limits, nullptr);
    check("sm90");
  }
}

// Values far outside float16's range come through, thanks to the scale of a row.
TEST(GemmF16, ActivationsOfAnyMagnitude) {
  MINFER_NEED_GPU();
  const std::int64_t k = 64;
  std::vector<float> x(static_cast<std::size_t>(4 * k));
  const float magnitudes[4] = {1e30f, 1e-30f, 3e5f, 0.0f};
  for (std::size_t t = 0; t < 4; ++t)
    for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i)
      x[t * static_cast<std::size_t>(k) + i] =
          magnitudes[t] * (i % 2 ? 1.0f : -0.37f) * static_cast<float>(i + 1) / 64.0f;
  DeviceArray<float> in(x), scale(4);
  DeviceArray<std::uint16_t> out(x.size());
  launch_activations_f16(in.get(), DType::kF32, 4 * k, k, 4, out.get(), scale.get(), false, nullptr);
  const std::vector<std::uint16_t> half = out.read();
  const std::vector<float> scales = scale.read();
  std::vector<float> back(x.size());
  quant_traits(DType::kF16).decode(half.data(), back.data(), static_cast<std::int64_t>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double got =
        static_cast<double>(back[i]) * static_cast<double>(scales[i / static_cast<std::size_t>(k)]);
    EXPECT_LE(std::fabs(got - static_cast<double>(x[i])), 5e-4 * std::fabs(static_cast<double>(x[i]))) << i;
  }
}

}  // namespace
}  // namespace minfer::cuda
