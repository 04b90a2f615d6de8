// Every kernel of every instruction set against float64, and against each other bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "backends/cpu/matmul/problem.h"

namespace minfer::test {
namespace {

struct Dims {
  std::int64_t blocks;  // of the larger of the weight's block and the activation's group
  std::int64_t rows;
  std::int64_t tokens;
};

// Around the kernels' tiles: 8 and 16 rows, close together and apart, 4 and 32 float rows, 3 float tokens, 32 tokens.
constexpr Dims kDims[] = {{1, 1, 1},   {2, 3, 2},   {5, 17, 1}, {3, 33, 7}, {4, 8, 33},
                          {7, 40, 65}, {33, 16, 1}, {2, 75, 1}, {3, 101, 3}};

// Float types have blocks of one value: row lengths that are no multiples of 16 as well.
std::int64_t row_length(const QuantTraits& traits, std::int64_t blocks) {
  if (traits.activation == DType::kQ8Row32) return blocks * 32;
  if (traits.activation == DType::kQ8Row256) return blocks * 256;
  return blocks * 21;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

class MatMulKernel : public testing::TestWithParam<const QuantTraits*> {
 protected:
  template <typename Check>
  void for_each_problem(Check check) {
    for (const Dims& dims : kDims) {
      const std::int64_t k = row_length(*GetParam(), dims.blocks);
      SCOPED_TRACE(testing::Message() << "k " << k << ", rows " << dims.rows << ", tokens " << dims.tokens);
      check(random_problem(*GetParam(), k, dims.rows, dims.tokens, static_cast<std::uint32_t>(k)));
    }
  }
};

TEST_P(MatMulKernel, IsWithinRoundingOfFloat64) {
  for_each_problem([](const Problem& problem) {
    const Reference reference = reference_product(problem);
    for (const MatMulKernels* kernels : kernel_tables()) {
      const std::vector<float> out = run_kernel(*kernels, problem);
      for (std::size_t i = 0; i < out.size(); ++i)
        ASSERT_LE(std::abs(out[i] - reference.sums[i]), 1e-6 * reference.magnitudes[i])
            << kernels->name << " at " << i;
    }
  });
}

TEST_P(MatMulKernel, GivesTheSameBitsOnEveryInstructionSet) {
  for_each_problem([](const Problem& problem) {
    const std::vector<float> expected = run_kernel(kScalarMatMul, problem);
    for (const MatMulKernels* kernels : kernel_tables())
      EXPECT_TRUE(same_bits(run_kernel(*kernels, problem), expected)) << kernels->name;
  });
}

TEST_P(MatMulKernel, GivesTheSameBitsForEveryOutputAlone) {
  for_each_problem([](const Problem& problem) {
    for (const MatMulKernels* kernels : kernel_tables()) {
      const std::vector<float> whole = run_kernel(*kernels, problem);
      std::vector<float> parts;
      for (std::int64_t t = 0; t < problem.n_tokens; ++t)
        for (std::int64_t r = 0; r < problem.n_rows; ++r)
          parts.push_back(run_part(*kernels, problem, r, 1, t, 1).front());
      EXPECT_TRUE(same_bits(parts, whole)) << kernels->name;
    }
  });
}

TEST_P(MatMulKernel, LeavesOtherOutputsAlone) {
  const Problem problem = random_problem(*GetParam(), row_length(*GetParam(), 2), 13, 5, 1);
  for (const MatMulKernels* kernels : kernel_tables()) {
    const std::vector<float> part = run_part(*kernels, problem, 0, 11, 0, 5);
    const std::vector<float> whole = run_kernel(*kernels, problem);
    for (std::size_t t = 0; t < 5; ++t)
      EXPECT_EQ(0, std::memcmp(part.data() + t * 11, whole.data() + t * 13, 11 * sizeof(float)))
          << kernels->name;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, MatMulKernel, testing::ValuesIn(kernel_types()),
                         [](const auto& type) { return std::string(dtype_name(type.param->type)); });

TEST(MatMulKernels, ExistForTheTypesWithIntegerDotProductsAndTheFloatOnes) {
  EXPECT_EQ(kernel_types().size(), 15u);
}

}  // namespace
}  // namespace minfer::test
