// A matrix product with everything that a kernel reads, and ways of computing it.
#pragma once

#include <cstdint>
#include <vector>

#include "backends/cpu/matmul/matmul_kernels.h"
#include "quant/traits.h"

namespace minfer::test {

struct Problem {
  const QuantTraits* traits = nullptr;
  std::int64_t k = 0;
  std::int64_t n_rows = 0;
  std::int64_t n_tokens = 0;
  std::vector<std::uint8_t> weights;  // n_rows rows of traits->type, nothing behind the last
  std::vector<std::uint8_t> x;        // n_tokens rows of traits->activation

  std::size_t weight_stride() const;
  std::size_t x_stride() const;
};

// The types with kernels of their own.
std::vector<const QuantTraits*> kernel_types();
// The tables that this machine can run: scalar first.
std::vector<const MatMulKernels*> kernel_tables();

// Weights encoded from random values, activations quantized from others.
Problem random_problem(const QuantTraits& traits, std::int64_t k, std::int64_t n_rows, std::int64_t n_tokens,
                       std::uint32_t seed);
// Rows of activations, quantized as the weight type wants them.
void set_activations(Problem& problem, const std::vector<float>& values);

// (n_tokens, n_rows), by one call of the kernel, into a poisoned buffer.
std::vector<float> run_kernel(const MatMulKernels& kernels, const Problem& problem);
// The part of it for rows [row, row + n_rows) and tokens [token, token + n_tokens).
std::vector<float> run_part(const MatMulKernels& kernels, const Problem& problem, std::int64_t row,
                            std::int64_t n_rows, std::int64_t token, std::int64_t n_tokens);

// Computed in float64 from the decoded weights and activations: the sum, and the sum of the magnitudes.
struct Reference {
  std::vector<double> sums;
  std::vector<double> magnitudes;
};
Reference reference_product(const Problem& problem);

}  // namespace minfer::test
