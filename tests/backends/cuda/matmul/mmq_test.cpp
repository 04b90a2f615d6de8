#include "backends/cuda/matmul/mmq.h"

#include "backends/cuda/matmul/mmq_tiers.h"

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
    for (const std::int64_t n_tokens : {1, 9, 33, 64, 70, 130}) {
      const int tile = choose_mmq(limits, c.type, n_tokens, true).tile_tokens;
      if (tile == 0) GTEST_SKIP() << "no int8 products on this GPU";
      prepare_mmq(c.type, tile);
      const TestActivations x(n_tokens, c.k, 72);
      const std::int64_t stride = c.n + 5;
      DeviceArray<float> out(static_cast<std::size_t>(n_tokens * stride));
      DeviceArray<std::byte> workspace(mmq_workspace(w.matrix, n_tokens, false, tile) + 4);
      const MmqArgs args{
          w.matrix, nullptr, x.device_rows.get(), static_cast<std::int64_t>(x.stride), out.get(), stride,
          n_tokens, tile,    workspace.get()};
      launch_mmq(args, limits.compute_capability >= 90, nullptr);
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
    const int tile = choose_mmq(limits, type, n_tokens, true).tile_tokens;
    if (tile == 0) GTEST_SKIP() << "no int8 products on this GPU";
    prepare_mmq(type, tile);
    const TestActivations x(n_tokens, k, 75);
    DeviceArray<float> out(static_cast<std::size_t>(n_tokens * n));
    const MmqArgs args{
        gate.matrix, &up.matrix, x.device_rows.get(), static_cast<std::int64_t>(x.stride), out.get(), n,
        n_tokens,    tile};
    launch_mmq(args, limits.compute_capability >= 90, nullptr);
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

DeviceLimits limits_of(int capability, std::size_t shared_per_block) {
  DeviceLimits limits;
  limits.compute_capability = capability;
  limits.shared_per_block = shared_per_block;
  return limits;
}

constexpr std::size_t kKiB = 1024;

// Shared memory of a block as the vendor's tables have it; no GPU is needed to choose.
TEST(MmqTiers, ChooseByCapabilityAndTokens) {
  const DeviceLimits turing = limits_of(75, 64 * kKiB), ampere = limits_of(80, 163 * kKiB),
                     hopper = limits_of(90, 227 * kKiB), geforce = limits_of(120, 99 * kKiB);
  EXPECT_NE(choose_mmq(turing, DType::kQ4_K, 9, true).refusal.find("compute capability 8.0"),
            std::string::npos);
  EXPECT_EQ(choose_mmq(hopper, DType::kQ4_K, 64, false).tile_tokens, 64);
  const MmqChoice many = choose_mmq(hopper, DType::kQ4_K, 65, false);
  EXPECT_EQ(many.tile_tokens, 0);
  EXPECT_NE(many.refusal.find("from 65 tokens on (Hopper)"), std::string::npos) << many.refusal;
  EXPECT_EQ(choose_mmq(hopper, DType::kQ4_K, 65, true).tile_tokens, 128);
  EXPECT_EQ(choose_mmq(ampere, DType::kQ4_K, 256, false).tile_tokens, 128);
  EXPECT_EQ(choose_mmq(ampere, DType::kQ4_K, 257, false).tile_tokens, 0);
  EXPECT_GT(choose_mmq(geforce, DType::kQ4_K, 100'000, false).tile_tokens, 0);
  EXPECT_NE(choose_mmq(hopper, DType::kQ5_1, 9, false).refusal.find("q5_1"), std::string::npos);
  EXPECT_EQ(find_mmq_tier(61), nullptr);
  EXPECT_EQ(find_mmq_tier(121)->name, "Blackwell");
}

TEST(MmqTiers, TakeTheWidestTileThatSharedMemoryHolds) {
  for (const DType type : {DType::kQ4_0, DType::kQ8_0, DType::kQ4_K, DType::kQ6_K}) {
    int previous = 0;
    for (const int tile : kMmqTiles) {
      const auto bytes = static_cast<std::size_t>(find_mmq_variant(type, tile, false).shared_bytes);
      EXPECT_EQ(choose_mmq(limits_of(86, bytes), type, 1000, false).tile_tokens, tile);
      const MmqChoice smaller = choose_mmq(limits_of(86, bytes - 1), type, 1000, false);
      EXPECT_EQ(smaller.tile_tokens, previous);
      const std::string reason = previous == 0 ? std::to_string(bytes) + " bytes of shared memory" : "";
      EXPECT_NE(smaller.refusal.find(reason), std::string::npos) << smaller.refusal;
      previous = tile;
    }
    EXPECT_EQ(choose_mmq(limits_of(86, 227 * kKiB), type, 16, false).tile_tokens, 32)
        << "few tokens, a small tile";
    EXPECT_EQ(choose_mmq(limits_of(86, 227 * kKiB), type, 33, false).tile_tokens, 64);
  }
}

}  // namespace
}  // namespace minfer::cuda
