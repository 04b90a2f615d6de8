// Kernels at the ends of their integers' ranges, and on whatever bytes a file may hold.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "backends/cpu/matmul/problem.h"
#include "quant/activation_row.h"
#include "quant/float16.h"
#include "quant/iq4_nl.h"
#include "quant/iq4_xs.h"
#include "quant/k_scales.h"
#include "quant/q2_k.h"
#include "quant/q3_k.h"
#include "quant/q4_0.h"
#include "quant/q4_1.h"
#include "quant/q4_k.h"
#include "quant/q5_0.h"
#include "quant/q5_1.h"
#include "quant/q5_k.h"
#include "quant/q6_k.h"
#include "quant/q8_0.h"

namespace minfer::test {
namespace {

constexpr std::int64_t kColumns = 512;
constexpr std::int64_t kRowCount = 19;
constexpr std::int64_t kTokens = 5;

// Values whose quantized form is 127 times their sign (with the sign of the largest for groups of 256).
std::vector<float> full_scale_activations(std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<float> values(kColumns * kTokens);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool whole_token = i < 2 * kColumns;  // two tokens of one sign each, then mixed ones
    values[i] = whole_token ? (i < kColumns ? 1.0f : -1.0f) : (generator() & 1 ? 1.0f : -1.0f);
  }
  return values;
}

class Extremes : public testing::TestWithParam<const QuantTraits*> {
 protected:
  Problem problem_of_bytes(const std::vector<std::uint8_t>& block) const {
    Problem problem{GetParam(), kColumns, kRowCount, kTokens, {}, {}};
    while (problem.weights.size() < static_cast<std::size_t>(kRowCount) * problem.weight_stride())
      problem.weights.insert(problem.weights.end(), block.begin(), block.end());
    set_activations(problem, full_scale_activations(7));
    return problem;
  }
};

// A block whose every byte is `fill` but for scales of 1, so that nothing but the integers is extreme.
template <typename Block>
std::vector<std::uint8_t> filled_block(std::uint8_t fill) {
  Block block;
  std::memset(static_cast<void*>(&block), fill, sizeof(block));
  const std::uint16_t one = fp32_to_fp16(1.0f);
  block.d = one;
  if constexpr (requires { block.m; }) block.m = one;
  if constexpr (requires { block.dmin; }) block.dmin = one;
  std::vector<std::uint8_t> bytes(sizeof(block));
  std::memcpy(bytes.data(), &block, sizeof(block));
  return bytes;
}

std::vector<std::uint8_t> filled_block(DType type, std::uint8_t fill) {
  switch (type) {
    case DType::kQ4_0:
      return filled_block<BlockQ4_0>(fill);
    case DType::kQ4_1:
      return filled_block<BlockQ4_1>(fill);
    case DType::kQ5_0:
      return filled_block<BlockQ5_0>(fill);
    case DType::kQ5_1:
      return filled_block<BlockQ5_1>(fill);
    case DType::kQ8_0:
      return filled_block<BlockQ8_0>(fill);
    case DType::kQ2_K:
      return filled_block<BlockQ2_K>(fill);
    case DType::kQ3_K:
      return filled_block<BlockQ3_K>(fill);
    case DType::kIQ4_NL:
      return filled_block<BlockIQ4_NL>(fill);
    case DType::kIQ4_XS:
      return filled_block<BlockIQ4_XS>(fill);
    case DType::kQ4_K:
      return filled_block<BlockQ4_K>(fill);
    case DType::kQ5_K:
      return filled_block<BlockQ5_K>(fill);
    case DType::kQ6_K:
      return filled_block<BlockQ6_K>(fill);
    default:
      return {};
  }
}

std::vector<const QuantTraits*> integer_types() {
  std::vector<const QuantTraits*> types = kernel_types();
  std::erase_if(types, [](const QuantTraits* traits) { return traits->activation == DType::kF32; });
  return types;
}

TEST_P(Extremes, IntegersDoNotSaturate) {
  for (const int fill : {0x00, 0x7f, 0x80, 0xff}) {  // 0x80: int8 codes and scales of -128
    const Problem problem = problem_of_bytes(filled_block(GetParam()->type, static_cast<std::uint8_t>(fill)));
    const Reference reference = reference_product(problem);
    for (const MatMulKernels* kernels : kernel_tables()) {
      const std::vector<float> out = run_kernel(*kernels, problem);
      for (std::size_t i = 0; i < out.size(); ++i)
        ASSERT_LE(std::abs(out[i] - reference.sums[i]), 1e-6 * reference.magnitudes[i])
            << kernels->name << ", bytes " << fill << ", at " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Extremes, testing::ValuesIn(integer_types()),
                         [](const auto& type) { return std::string(dtype_name(type.param->type)); });

class HostileBytes : public testing::TestWithParam<const QuantTraits*> {};

// Scales may be anything, NaN and infinity included: which NaN comes out is open, all else is not.
TEST_P(HostileBytes, GiveTheSameBitsOnEveryInstructionSet) {
  std::mt19937 generator(3);
  for (int round = 0; round < 20; ++round) {
    Problem problem =
        random_problem(*GetParam(), kColumns, kRowCount, kTokens, static_cast<std::uint32_t>(round));
    for (std::uint8_t& byte : problem.weights) byte = static_cast<std::uint8_t>(generator());
    const std::vector<float> expected = run_kernel(kScalarMatMul, problem);
    for (const MatMulKernels* kernels : kernel_tables()) {
      const std::vector<float> out = run_kernel(*kernels, problem);
      for (std::size_t i = 0; i < out.size(); ++i) {
        if (std::isnan(expected[i])) {
          ASSERT_TRUE(std::isnan(out[i])) << kernels->name << " at " << i;
        } else {
          ASSERT_EQ(float_to_bits(expected[i]), float_to_bits(out[i])) << kernels->name << " at " << i;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, HostileBytes, testing::ValuesIn(kernel_types()),
                         [](const auto& type) { return std::string(dtype_name(type.param->type)); });

}  // namespace
}  // namespace minfer::test
