#include "backends/cuda/matmul/mmq.h"

#include "backends/cuda/matmul/product_case.h"

namespace minfer::cuda {
namespace {

struct Case {
  DType type;
  std::int64_t n, k;
};

// Rows and columns that fill no tile, and enough columns of few rows that blocks share a tile.
constexpr Case kCases[] = {{DType::kQ4_K, 200, 768},  {DType::kQ4_K, 64, 5120}, {DType::kQ4_K, 7, 256},
                           {DType::kQ6_K, 130, 1280}, {DType::kQ6_K, 40, 4352}, {DType::kQ8_0, 513, 96},
                           {DType::kQ8_0, 30, 2080},  {DType::kQ4_0, 129, 32},  {DType::kQ4_0, 300, 1056}};

bool planar(DType type) { return type != DType::kQ4_K; }

TEST(Mmq, EqualsTheExactDot) {
  MINFER_NEED_GPU();
  const DeviceLimits limits = test_limits();
  for (const Case& c : kCases) {
    const TestWeight w(c.type, c.n, c.k, 71, planar(c.type));
    if (!mmq_supported(limits, c.type, w.matrix.layout)) continue;
    prepare_mmq(limits, c.type);
    for (const std::int64_t n_tokens : {1, 9, 33, 64, 70, 130}) {
      const TestActivations x(n_tokens, c.k, 72);
      const std::int64_t stride = c.n + 5;
      DeviceArray<float> out(static_cast<std::size_t>(n_tokens * stride));
      DeviceArray<std::byte> workspace(
          mmq_workspace(w.matrix, n_tokens, false, mmq_tile_tokens(limits, n_tokens)) + 4);
      const MmqArgs args{
          w.matrix, nullptr,  x.device_rows.get(), static_cast<std::int64_t>(x.stride), out.get(),
          stride,   n_tokens, workspace.get()};
      launch_mmq(args, limits, nullptr);
      const std::vector<float> got = out.read();
      for (std::int64_t t = 0; t < n_tokens; ++t) {
        for (std::int64_t r = 0; r < stride; ++r) {
          const double is = static_cast<double>(got[static_cast<std::size_t>(t * stride + r)]);
          if (r >= c.n) {
            ASSERT_TRUE(std::isnan(is)) << "written past the row";
            continue;
          }
          const ExactDot dot = exact_dot(&w.values[static_cast<std::size_t>(r * c.k)],
                                         &x.decoded[static_cast<std::size_t>(t * c.k)], c.k);
          ASSERT_LE(std::fabs(is - dot.sum), 1e-6 * dot.magnitude)
              << dtype_name(c.type) << " n " << c.n << " k " << c.k << " tokens " << n_tokens << " row " << r
              << " token " << t << ": " << is << " for " << dot.sum;
        }
      }
    }
  }
}

TEST(Mmq, SwigluOfPairs) {
  MINFER_NEED_GPU();
  const DeviceLimits limits = test_limits();
  for (const DType type : {DType::kQ4_K, DType::kQ6_K, DType::kQ8_0, DType::kQ4_0}) {
    const std::int64_t n = 88, k = 512, n_tokens = 37;
    const TestWeight gate(type, n, k, 73, planar(type)), up(type, n, k, 74, planar(type));
    if (!mmq_supported(limits, type, gate.matrix.layout)) continue;
    prepare_mmq(limits, type);
    const TestActivations x(n_tokens, k, 75);
    DeviceArray<float> out(static_cast<std::size_t>(n_tokens * n));
    const MmqArgs args{
        gate.matrix, &up.matrix, x.device_rows.get(), static_cast<std::int64_t>(x.stride), out.get(), n,
        n_tokens,    nullptr};
    launch_mmq(args, limits, nullptr);
    const std::vector<float> got = out.read();
    for (std::int64_t t = 0; t < n_tokens; ++t) {
      for (std::int64_t r = 0; r < n; ++r) {
        const float* xs = &x.decoded[static_cast<std::size_t>(t * k)];
        const ExactDot g = exact_dot(&gate.values[static_cast<std::size_t>(r * k)], xs, k);
        const ExactDot u = exact_dot(&up.values[static_cast<std::size_t>(r * k)], xs, k);
        const double want = g.sum / (1 + std::exp(-g.sum)) * u.sum;
        const double slack = 2e-6 * (g.magnitude * std::fabs(u.sum) + (std::fabs(g.sum) + 1) * u.magnitude);
        ASSERT_LE(std::fabs(static_cast<double>(got[static_cast<std::size_t>(t * n + r)]) - want), slack)
            << dtype_name(type) << " row " << r << " token " << t;
      }
    }
  }
}

}  // namespace
}  // namespace minfer::cuda
