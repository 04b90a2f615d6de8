// A random matrix product with its result in double precision: weights of a type, activations as floats and
// quantized.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "backends/cuda/device_array.h"
#include "backends/cuda/matmul/repack.h"
#include "quant/activation_row.h"
#include "quant/traits.h"

namespace minfer::cuda {

inline std::vector<float> random_floats(std::size_t n, unsigned seed, float spread = 1.0f) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal(0.0f, spread);
  std::vector<float> values(n);
  for (float& v : values) v = normal(engine);
  return values;
}

// A weight in host and device memory.
struct TestWeight {
  TestWeight(DType type, std::int64_t n, std::int64_t k, unsigned seed, bool planar)
      : values(static_cast<std::size_t>(n * k)),
        blocks(row_bytes(type, k) * static_cast<std::size_t>(n)),
        raw(blocks.size()),
        packed(blocks.size()) {
    const QuantTraits& traits = quant_traits(type);
    const std::vector<float> source = random_floats(values.size(), seed, 0.5f);
    traits.encode(source.data(), blocks.data(), n * k);
    traits.decode(blocks.data(), values.data(), n * k);
    MINFER_CUDA(cudaMemcpy(raw.get(), blocks.data(), blocks.size(), cudaMemcpyHostToDevice));
    matrix = {raw.get(), type, WeightLayout::kRaw, n, k};
    if (!planar) return;
    // In two parts, as large matrices come.
    const std::size_t n_blocks = static_cast<std::size_t>(n * k) / dtype_info(type).block_values;
    const std::size_t first_part = n_blocks / 3;
    if (first_part > 0) launch_to_planes(type, n_blocks, {0, first_part}, raw.get(), packed.get(), nullptr);
    launch_to_planes(type, n_blocks, {first_part, n_blocks - first_part},
                     raw.get() + first_part * (blocks.size() / n_blocks), packed.get(), nullptr);
    matrix.data = packed.get();
    matrix.layout = WeightLayout::kPlanar;
  }

  std::vector<float> values;  // decoded
  std::vector<std::byte> blocks;
  DeviceArray<std::byte> raw;
  DeviceArray<std::byte> packed;
  WeightMatrix matrix;
};

// Rows of activations: floats, and quantized with their decoded values.
struct TestActivations {
  TestActivations(std::int64_t n_tokens, std::int64_t k, unsigned seed)
      : floats(random_floats(static_cast<std::size_t>(n_tokens * k), seed)),
        decoded(floats.size()),
        stride(row_bytes(DType::kQ8Row32, k)),
        device_floats(floats),
        device_rows(stride * static_cast<std::size_t>(n_tokens)) {
    std::vector<std::byte> rows(stride * static_cast<std::size_t>(n_tokens));
    for (std::size_t t = 0; t < static_cast<std::size_t>(n_tokens); ++t) {
      encode_q8_row32(floats.data() + t * static_cast<std::size_t>(k), rows.data() + t * stride, k);
      decode_q8_row32(rows.data() + t * stride, decoded.data() + t * static_cast<std::size_t>(k), k);
    }
    MINFER_CUDA(cudaMemcpy(device_rows.get(), rows.data(), rows.size(), cudaMemcpyHostToDevice));
  }

  std::vector<float> floats;
  std::vector<float> decoded;
  std::size_t stride;
  DeviceArray<float> device_floats;
  DeviceArray<std::byte> device_rows;
};

struct ExactDot {
  double sum = 0;
  double magnitude = 0;  // sum of |w x|
  double energy = 0;     // sum of (w x)^2
};

inline ExactDot exact_dot(const float* w, const float* x, std::int64_t k) {
  ExactDot dot;
  for (std::int64_t i = 0; i < k; ++i) {
    const double product = static_cast<double>(w[i]) * static_cast<double>(x[i]);
    dot.sum += product;
    dot.magnitude += std::fabs(product);
    dot.energy += product * product;
  }
  return dot;
}

}  // namespace minfer::cuda
