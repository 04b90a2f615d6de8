// The kernels for many tokens against the scalar kernels, bit for bit.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <cmath>
#include <cstring>
#include <random>

#include "backends/cpu/matmul/gemm_lookup.h"
#include "backends/cpu/matmul/problem.h"
#include "base/cpu_features.h"
#include "quant/float16.h"

namespace minfer::test {
namespace {

// Around the kernels' tiles: 16 lanes, panels of 32 rows, 6 tokens (AVX-512), 16 and 32 tokens (AMX); 4 lanes, panels
// of 8 rows, 4 tokens (NEON).
struct Dims {
  std::int64_t blocks;
  std::int64_t rows;
  std::int64_t tokens;
};
constexpr Dims kDims[] = {{1, 1, 8},   {1, 32, 6},  {2, 15, 9},   {3, 16, 31}, {5, 17, 64}, {2, 31, 65},
                          {4, 33, 12}, {7, 96, 13}, {1, 45, 200}, {3, 3, 1},   {6, 40, 16}, {3, 70, 33}};
constexpr int kMargin = 5;  // floats behind each token's outputs

struct Table {
  const char* name;
  const GemmKernels* kernels;
  bool (*usable)(const CpuFeatures& features);
};

// Of this architecture, those that this CPU can run.
constexpr Table kTables[] = {
#if defined(__x86_64__)
    {"avx512", &kAvx512Gemm, [](const CpuFeatures& features) { return features.avx512_vnni; }},
    {"amx", &kAmxGemm, [](const CpuFeatures& features) { return features.amx_int8; }},
#elif defined(__aarch64__)
    {"neon_dotprod", &kNeonDotprodGemm, [](const CpuFeatures& features) { return features.dotprod; }},
    {"neon_i8mm", &kNeonI8mmGemm, [](const CpuFeatures& features) { return features.i8mm; }},
#endif
};

struct Kernel {
  const Table* table;
  const QuantTraits* traits;
};

std::vector<Kernel> gemm_kernels() {
  std::vector<Kernel> kernels;
  for (const Table& table : kTables)
    for (const QuantTraits* traits : kernel_types())
      if (table.usable(detect_cpu_features()) && find_gemm_kernel(*table.kernels, traits->type))
        kernels.push_back({&table, traits});
  return kernels;
}

// (n_tokens, n_rows) with a poisoned margin behind each token, and scratch whose end is checked by sanitizers.
std::vector<float> run_gemm(const GemmKernel& kernel, const Problem& problem) {
  const std::int64_t stride = problem.n_rows + kMargin;
  std::vector<float> out(static_cast<std::size_t>(stride * problem.n_tokens), -1.0f);
  std::vector<std::byte> scratch(gemm_scratch_bytes(kernel, problem.k), std::byte{0xff});
  MatMulRows m;
  m.weights = problem.weights.data();
  m.row_stride = problem.weight_stride();
  m.k = problem.k;
  m.n_rows = problem.n_rows;
  m.x = problem.x.data();
  m.x_stride = problem.x_stride();
  m.n_tokens = problem.n_tokens;
  m.out = out.data();
  m.out_stride = static_cast<std::size_t>(stride);
  kernel.run(m, scratch.data());
  return out;
}

void expect_scalar_bits(const GemmKernel& kernel, const Problem& problem) {
  const std::vector<float> expected = run_kernel(kScalarMatMul, problem);
  const std::vector<float> out = run_gemm(kernel, problem);
  const auto n_rows = static_cast<std::size_t>(problem.n_rows);
  for (std::size_t t = 0; t < static_cast<std::size_t>(problem.n_tokens); ++t) {
    const float* row = out.data() + t * (n_rows + kMargin);
    for (std::size_t r = 0; r < n_rows; ++r) {
      const float want = expected[t * n_rows + r];
      const bool same = std::isnan(want) ? std::isnan(row[r]) : float_to_bits(want) == float_to_bits(row[r]);
      ASSERT_TRUE(same) << "row " << r << ", token " << t << ": " << row[r] << ", not " << want;
    }
    for (int i = 0; i < kMargin; ++i) ASSERT_EQ(row[n_rows + static_cast<std::size_t>(i)], -1.0f) << t;
  }
}

class Gemm : public testing::TestWithParam<Kernel> {
 protected:
  void expect_scalar_bits(const Problem& problem) const {
    const auto& [table, traits] = GetParam();
    test::expect_scalar_bits(*find_gemm_kernel(*table->kernels, traits->type), problem);
  }
  Problem problem(const Dims& dims, std::uint32_t seed) const {
    const std::int64_t block = GetParam().traits->activation == DType::kQ8Row32 ? 32 : 256;
    return random_problem(*GetParam().traits, dims.blocks * block, dims.rows, dims.tokens, seed);
  }
};

TEST_P(Gemm, GivesTheBitsOfTheScalarKernels) {
  for (const Dims& dims : kDims) {
    SCOPED_TRACE(testing::Message() << dims.blocks << " blocks, " << dims.rows << " rows");
    expect_scalar_bits(problem(dims, static_cast<std::uint32_t>(dims.rows)));
  }
}

// Scales may be anything, NaN and infinity included: which NaN comes out is open, all else is not.
TEST_P(Gemm, GivesTheBitsOfTheScalarKernelsOnHostileBytes) {
  std::mt19937 generator(5);
  for (int round = 0; round < 10; ++round) {
    Problem hostile = problem({2, 37, 15}, static_cast<std::uint32_t>(round));
    for (std::uint8_t& byte : hostile.weights) byte = static_cast<std::uint8_t>(generator());
    expect_scalar_bits(hostile);
  }
}

TEST_P(Gemm, DoesNotSaturateOnExtremeBytes) {
  for (const int fill : {0x00, 0x3c, 0x7f, 0x80, 0xbb, 0xff}) {
    Problem extreme = problem({2, 18, 8}, 1);
    std::fill(extreme.weights.begin(), extreme.weights.end(), static_cast<std::uint8_t>(fill));
    std::vector<float> signs(static_cast<std::size_t>(extreme.k * extreme.n_tokens));
    for (std::size_t i = 0; i < signs.size(); ++i)
      signs[i] = i % 3 == 0 && i > signs.size() / 2 ? -1.0f : 1.0f;
    set_activations(extreme, signs);
    expect_scalar_bits(extreme);
  }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Gemm);  // a CPU without any of the tables
INSTANTIATE_TEST_SUITE_P(Types, Gemm, testing::ValuesIn(gemm_kernels()), [](const auto& kernel) {
  return fmt::format("{}_{}", kernel.param.table->name, dtype_name(kernel.param.traits->type));
});

}  // namespace
}  // namespace minfer::test
