#include "backends/cpu/matmul/problem.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>

#include "backends/cpu/matmul/kernel_lookup.h"
#include "base/check.h"
#include "base/cpu_features.h"
#include "quant/activation_row.h"
#include "quant/float16.h"
#include "quant/iq4_nl.h"
#include "quant/iq4_xs.h"
#include "quant/q2_k.h"
#include "quant/q3_k.h"

namespace minfer::test {
namespace {

void encode_activation_row(DType type, const float* values, std::uint8_t* row, std::int64_t k) {
  if (type == DType::kQ8Row32) return encode_q8_row32(values, row, k);
  if (type == DType::kQ8Row256) return encode_q8_row256(values, row, k);
  std::memcpy(row, values, static_cast<std::size_t>(k) * sizeof(float));
}

std::vector<float> decode_activation_row(DType type, const std::uint8_t* row, std::int64_t k) {
  std::vector<float> values(static_cast<std::size_t>(k));
  if (type == DType::kQ8Row32) {
    decode_q8_row32(row, values.data(), k);
  } else if (type == DType::kQ8Row256) {
    decode_q8_row256(row, values.data(), k);
  } else {
    std::memcpy(values.data(), row, values.size() * sizeof(float));
  }
  return values;
}

// Where the float16 scales of a block lie.
std::vector<std::size_t> scale_offsets(DType type) {
  switch (type) {
    case DType::kQ2_K:
      return {offsetof(BlockQ2_K, d), offsetof(BlockQ2_K, dmin)};
    case DType::kQ3_K:
      return {offsetof(BlockQ3_K, d)};
    case DType::kIQ4_NL:
      return {offsetof(BlockIQ4_NL, d)};
    case DType::kIQ4_XS:
      return {offsetof(BlockIQ4_XS, d)};
    default:
      throw InternalError(fmt::format("no scales known of {}", dtype_name(type)));
  }
}

std::vector<float> random_values(std::size_t n, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float& value : values) value = normal(generator);
  return values;
}

// Any bytes are blocks, of types that only decode too; these keep scales finite and of one order of magnitude.
void fill_with_random_blocks(Problem& problem, std::uint32_t seed) {
  std::mt19937 generator(seed);
  const std::size_t block = dtype_info(problem.traits->type).block_bytes;
  for (std::uint8_t& byte : problem.weights) byte = static_cast<std::uint8_t>(generator());
  for (std::size_t at = 0; at < problem.weights.size(); at += block)
    for (const std::size_t scale : scale_offsets(problem.traits->type)) {
      const std::uint16_t bits = fp32_to_fp16(0.01f * static_cast<float>(1 + generator() % 100));
      std::memcpy(problem.weights.data() + at + scale, &bits, sizeof(bits));
    }
}

}  // namespace

std::size_t Problem::weight_stride() const { return row_bytes(traits->type, k); }
std::size_t Problem::x_stride() const { return row_bytes(traits->activation, k); }

std::vector<const QuantTraits*> kernel_types() {
  std::vector<const QuantTraits*> types;
  for (const QuantTraits* traits : all_quant_traits())
    if (find_matmul_kernel(kScalarMatMul, traits->type)) types.push_back(traits);
  return types;
}

std::vector<const MatMulKernels*> kernel_tables() {
  std::vector<const MatMulKernels*> tables = {&kScalarMatMul};
#if defined(__x86_64__)
  if (detect_cpu_features().avx2) tables.push_back(&kAvx2MatMul);
  if (detect_cpu_features().avx_vnni) tables.push_back(&kAvxVnniMatMul);
  if (detect_cpu_features().avx512_vnni) tables.push_back(&kAvx512MatMul);
#elif defined(__aarch64__)
  tables.push_back(&kNeonMatMul);
  if (detect_cpu_features().dotprod) tables.push_back(&kNeonDotprodMatMul);
#endif
  return tables;
}

Problem random_problem(const QuantTraits& traits, std::int64_t k, std::int64_t n_rows, std::int64_t n_tokens,
                       std::uint32_t seed) {
  Problem problem{&traits, k, n_rows, n_tokens, {}, {}};
  const std::vector<float> values = random_values(static_cast<std::size_t>(n_rows * k), seed);
  problem.weights.resize(static_cast<std::size_t>(n_rows) * problem.weight_stride());
  if (traits.encode) {
    traits.encode(values.data(), problem.weights.data(), n_rows * k);
  } else {
    fill_with_random_blocks(problem, seed);
  }
  set_activations(problem, random_values(static_cast<std::size_t>(n_tokens * k), seed + 1));
  return problem;
}

void set_activations(Problem& problem, const std::vector<float>& values) {
  problem.x.resize(static_cast<std::size_t>(problem.n_tokens) * problem.x_stride());
  for (std::int64_t t = 0; t < problem.n_tokens; ++t)
    encode_activation_row(problem.traits->activation, values.data() + t * problem.k,
                          problem.x.data() + static_cast<std::size_t>(t) * problem.x_stride(), problem.k);
}

std::vector<float> run_part(const MatMulKernels& kernels, const Problem& problem, std::int64_t row,
                            std::int64_t n_rows, std::int64_t token, std::int64_t n_tokens) {
  std::vector<float> out(static_cast<std::size_t>(n_rows * n_tokens),
                         std::numeric_limits<float>::quiet_NaN());
  MatMulRows m;
  m.weights = problem.weights.data() + static_cast<std::size_t>(row) * problem.weight_stride();
  m.row_stride = problem.weight_stride();
  m.k = problem.k;
  m.n_rows = n_rows;
  m.x = problem.x.data() + static_cast<std::size_t>(token) * problem.x_stride();
  m.x_stride = problem.x_stride();
  m.n_tokens = n_tokens;
  m.out = out.data();
  m.out_stride = static_cast<std::size_t>(n_rows);
  find_matmul_kernel(kernels, problem.traits->type)(m);
  return out;
}

std::vector<float> run_kernel(const MatMulKernels& kernels, const Problem& problem) {
  return run_part(kernels, problem, 0, problem.n_rows, 0, problem.n_tokens);
}

Reference reference_product(const Problem& problem) {
  const std::int64_t k = problem.k;
  std::vector<float> weights(static_cast<std::size_t>(problem.n_rows * k));
  problem.traits->decode(problem.weights.data(), weights.data(), problem.n_rows * k);
  Reference reference;
  for (std::int64_t t = 0; t < problem.n_tokens; ++t) {
    const std::uint8_t* row = problem.x.data() + static_cast<std::size_t>(t) * problem.x_stride();
    const std::vector<float> x = decode_activation_row(problem.traits->activation, row, k);
    for (std::int64_t r = 0; r < problem.n_rows; ++r) {
      double sum = 0.0;
      double magnitude = 0.0;
      for (std::int64_t i = 0; i < k; ++i) {
        const double product =
            double{weights[static_cast<std::size_t>(r * k + i)]} * x[static_cast<std::size_t>(i)];
        sum += product;
        magnitude += std::abs(product);
      }
      reference.sums.push_back(sum);
      reference.magnitudes.push_back(magnitude);
    }
  }
  return reference;
}

}  // namespace minfer::test
