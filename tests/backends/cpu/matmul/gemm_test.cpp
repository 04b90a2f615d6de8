// The kernels for many tokens against the scalar kernels, bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "backends/cpu/matmul/gemm_lookup.h"
#include "backends/cpu/matmul/problem.h"
#include "base/cpu_features.h"
#include "quant/float16.h"

namespace minfer::test {
namespace {

// Around the kernels' tiles: 16 lanes, panels of 32 rows, 6 tokens.
struct Dims {
  std::int64_t blocks;
  std::int64_t rows;
  std::int64_t tokens;
};
constexpr Dims kDims[] = {{1, 1, 8},   {1, 32, 6},  {2, 15, 9},  {3, 16, 31},  {5, 17, 64},
                          {2, 31, 65}, {4, 33, 12}, {7, 96, 13}, {1, 45, 200}, {3, 3, 1}};
constexpr int kMargin = 5;  // floats behind each token's outputs

const GemmKernels* gemm_table() {
#if defined(__x86_64__)
  if (detect_cpu_features().avx512_vnni) return &kAvx512Gemm;
#endif
  return nullptr;
}

std::vector<const QuantTraits*> gemm_types() {
  std::vector<const QuantTraits*> types = kernel_types();
  std::erase_if(types, [](const QuantTraits* traits) {
    return gemm_table() && !find_gemm_kernel(*gemm_table(), traits->type);
  });
  return types;
}

// (n_tokens, n_rows) with a poisoned margin behind each token, and scratch whose end is checked by sanitizers.
std::vector<float> run_gemm(const Problem& problem) {
  const GemmKernel& kernel = *find_gemm_kernel(*gemm_table(), problem.traits->type);
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

void expect_scalar_bits(const Problem& problem) {
  const std::vector<float> expected = run_kernel(kScalarMatMul, problem);
  const std::vector<float> out = run_gemm(problem);
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

class Gemm : public testing::TestWithParam<const QuantTraits*> {
 protected:
  void SetUp() override {
    if (!gemm_table()) GTEST_SKIP() << "this CPU has no instruction set with kernels for many tokens";
  }
  Problem problem(const Dims& dims, std::uint32_t seed) const {
    const std::int64_t block = GetParam()->activation == DType::kQ8Row32 ? 32 : 256;
    return random_problem(*GetParam(), dims.blocks * block, dims.rows, dims.tokens, seed);
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

INSTANTIATE_TEST_SUITE_P(Types, Gemm, testing::ValuesIn(gemm_types()),
                         [](const auto& type) { return std::string(dtype_name(type.param->type)); });

}  // namespace
}  // namespace minfer::test
