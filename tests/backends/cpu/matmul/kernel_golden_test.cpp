// Kernels against the dot products that ggml's kernels give for the same blocks.
#include <gtest/gtest.h>

#include <cmath>

#include "backends/cpu/matmul/problem.h"
#include "quant/golden.h"
#include "support/data.h"

namespace minfer::test {
namespace {

// ggml rounds activations to the weight's type where that is a float type, and the sums of activations that Q4_1
// and Q5_1 need to float16: its products then are others than ours, by more than rounding.
bool has_our_arithmetic(const QuantTraits& traits) {
  return traits.activation != DType::kF32 && traits.type != DType::kQ4_1 && traits.type != DType::kQ5_1;
}

class MatMulGolden : public testing::TestWithParam<bool> {};

TEST_P(MatMulGolden, AgreesWithItsDotProducts) {
  if (GetParam()) MINFER_NEED_SHARED();
  const Golden golden = load_golden(GetParam() ? shared_data("quant") : test_data("quant"));
  const auto k = static_cast<std::int64_t>(golden.row);
  const auto n = static_cast<std::int64_t>(golden.n_rows());
  int n_types = 0;
  for (const GoldenType& type : golden.types) {
    SCOPED_TRACE(type.name);
    Problem problem{&quant_traits(dtype_from_name(type.name).value()), k, n, n, {}, {}};
    if (!has_our_arithmetic(*problem.traits)) continue;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(type.blocks.data());
    problem.weights.assign(bytes, bytes + type.blocks.size());
    set_activations(problem, golden.activations);
    const Reference reference = reference_product(problem);
    for (const MatMulKernels* kernels : kernel_tables()) {
      const std::vector<float> out = run_kernel(*kernels, problem);
      for (std::size_t r = 0; r < golden.n_rows(); ++r) {
        const std::size_t i = r * golden.n_rows() + r;
        EXPECT_LE(std::abs(out[i] - type.dots[r]), 2e-6 * reference.magnitudes[i] + 1e-30)
            << kernels->name << " row " << r;
      }
    }
    ++n_types;
  }
  EXPECT_EQ(n_types, 10);
}

INSTANTIATE_TEST_SUITE_P(Folder, MatMulGolden, testing::Bool(),
                         [](const auto& folder) { return folder.param ? "shared" : "fixture"; });

}  // namespace
}  // namespace minfer::test
