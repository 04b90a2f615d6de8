#include "backends/cuda/matmul/simple.h"

#include "backends/cuda/device/check.h"
#include "backends/cuda/quant/activation.cuh"
#include "backends/cuda/quant/decode.cuh"

namespace minfer::cuda {
namespace {

constexpr int kWarps = 4;   // of a block; each takes a row of the weight
constexpr int kTokens = 8;  // rows of x that a decoded stretch of weights is multiplied with

// One weight of the product.
struct Product {
  const char* weight;
  std::int64_t row_bytes;
  std::int64_t n;
  std::int64_t k;
  const char* x;
  std::int64_t x_stride;
  float* out;
  std::int64_t n_out;
  std::int64_t n_tokens;
  const float* residual;
};

__device__ void store_sums(const Product& p, std::int64_t row, std::int64_t first, int n_tokens,
                           float* sums) {
#pragma unroll
  for (int t = 0; t < kTokens; ++t) {
    const float sum = warp_sum(sums[t]);
    if (threadIdx.x % 32 != 0 || t >= n_tokens) continue;
    const std::int64_t i = (first + t) * p.n_out + row;
    p.out[i] = p.residual ? p.residual[i] + sum : sum;
  }
}

__device__ int tokens_from(const Product& p, std::int64_t first) {
  const std::int64_t rest = p.n_tokens - first;
  return rest < kTokens ? static_cast<int>(rest) : kTokens;
}

// Sum of 32 products with a group of the token's activations.
template <bool kQuantized>
__device__ float group_product(const Product& p, std::int64_t token, std::int64_t g, const float* weights) {
  const char* x = p.x + token * p.x_stride;
  float sum = 0;
  if constexpr (kQuantized) {
    const int4* q = reinterpret_cast<const int4*>(x + 32 * g);
    const int4 halves[2] = {q[0], q[1]};
    const auto* values = reinterpret_cast<const std::int8_t*>(halves);
#pragma unroll
    for (int j = 0; j < 32; ++j) sum = fmaf(weights[j], static_cast<float>(values[j]), sum);
    const auto* d = reinterpret_cast<const float*>(x + activation_scales_offset(p.k));
    return sum * d[g];
  } else {
    const float* values = reinterpret_cast<const float*>(x) + 32 * g;
#pragma unroll
    for (int j = 0; j < 32; ++j) sum = fmaf(weights[j], values[j], sum);
    return sum;
  }
}

// Rows along x, groups of tokens along y. A lane takes every 32nd group of 32 values.
template <DType kType, bool kQuantized>
__global__ void __launch_bounds__(32 * kWarps) groups_kernel(Product p) {
  const std::int64_t row = std::int64_t{blockIdx.x} * kWarps + threadIdx.x / 32;
  if (row >= p.n) return;
  const std::int64_t first = std::int64_t{blockIdx.y} * kTokens;
  const int n_tokens = tokens_from(p, first);
  float sums[kTokens] = {};
  for (std::int64_t g = threadIdx.x % 32; g < p.k / 32; g += 32) {
    float weights[32];
    Decoder<kType>::group(p.weight + row * p.row_bytes, g, weights);
#pragma unroll
    for (int t = 0; t < kTokens; ++t)
      if (t < n_tokens) sums[t] += group_product<kQuantized>(p, first + t, g, weights);
  }
  store_sums(p, row, first, n_tokens, sums);
}

template <DType kType, bool kQuantized>
__global__ void __launch_bounds__(32 * kWarps) values_kernel(Product p) {
  const std::int64_t row = std::int64_t{blockIdx.x} * kWarps + threadIdx.x / 32;
  if (row >= p.n) return;
  const std::int64_t first = std::int64_t{blockIdx.y} * kTokens;
  const int n_tokens = tokens_from(p, first);
  float sums[kTokens] = {};
  for (std::int64_t i = threadIdx.x % 32; i < p.k; i += 32) {
    const float weight = Decoder<kType>::value(p.weight + row * p.row_bytes, i);
#pragma unroll
    for (int t = 0; t < kTokens; ++t)
      if (t < n_tokens)
        sums[t] = fmaf(weight, reinterpret_cast<const float*>(p.x + (first + t) * p.x_stride)[i], sums[t]);
  }
  store_sums(p, row, first, n_tokens, sums);
}

using Kernel = void (*)(Product);

constexpr bool is_float(DType type) {
  return type == DType::kF32 || type == DType::kF16 || type == DType::kBF16;
}

template <DType kType>
Kernel kernel_of_type(DType x_type) {
  const bool quantized = x_type == DType::kQ8Row32;
  if constexpr (is_float(kType)) {
    return quantized ? nullptr : values_kernel<kType, false>;
  } else {
    return quantized ? groups_kernel<kType, true> : groups_kernel<kType, false>;
  }
}

template <DType... kTypes>
Kernel find_kernel(DType type, DType x_type) {
  Kernel found = nullptr;
  static_cast<void>(((kTypes == type && (found = kernel_of_type<kTypes>(x_type), true)) || ...));
  return found;
}

Kernel product_kernel(DType type, DType x_type) {
  return find_kernel<DType::kF32, DType::kF16, DType::kBF16, DType::kQ4_0, DType::kQ4_1, DType::kQ5_0,
                     DType::kQ5_1, DType::kQ8_0, DType::kQ2_K, DType::kQ3_K, DType::kQ4_K, DType::kQ5_K,
                     DType::kQ6_K, DType::kIQ4_NL, DType::kIQ4_XS>(type, x_type);
}

}  // namespace

bool simple_matmul_supported(DType type, DType x_type) { return product_kernel(type, x_type) != nullptr; }

void launch_simple_matmul(const MatmulArgs& args, cudaStream_t stream) {
  float* out = args.out;
  for (int i = 0; i < args.n_weights; ++i) {
    const WeightMatrix& w = args.weights[i];
    const Product product{static_cast<const char*>(w.data),
                          w.row_bytes,
                          w.n,
                          w.k,
                          static_cast<const char*>(args.x),
                          args.x_stride,
                          out,
                          args.n_out,
                          args.n_tokens,
                          args.residual};
    const dim3 grid(static_cast<unsigned>((w.n + kWarps - 1) / kWarps),
                    static_cast<unsigned>((args.n_tokens + kTokens - 1) / kTokens));
    product_kernel(w.type, args.x_type)<<<grid, 32 * kWarps, 0, stream>>>(product);
    check_launch("simple matmul");
    out += w.n;
  }
}

}  // namespace minfer::cuda
