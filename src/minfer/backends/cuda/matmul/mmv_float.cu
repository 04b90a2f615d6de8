// As mmvq.cuh does it, with floats: a warp takes kRows rows, a lane 8 consecutive k at a time, the warps of a block
// divide k.
#include "backends/cuda/matmul/mmv_float.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/matmul/mmvq.cuh"

namespace minfer::cuda {
namespace {

constexpr int kRows = 2, kWarps = 4, kStep = 8;

struct Params {
  const std::uint8_t* w;
  int n;
  int k;
  const float* x;
  std::int64_t x_stride;  // floats
  float* out;             // of this matrix's first row
  std::int64_t out_stride;
  int n_tokens;
  const float* residual;  // as out, or null
};

template <typename T>
struct FloatChunk;

template <>
struct FloatChunk<float> {
  uint4 a, b;
  __device__ void load(const std::uint8_t* p) {
    a = load_stream16(p);
    b = load_stream16(p + 16);
  }
  __device__ void unpack(float (&v)[kStep]) const {
    const std::uint32_t bits[kStep] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
    for (int i = 0; i < kStep; ++i) v[i] = __uint_as_float(bits[i]);
  }
};

template <>
struct FloatChunk<__half> {
  uint4 a;
  __device__ void load(const std::uint8_t* p) { a = load_stream16(p); }
  __device__ void unpack(float (&v)[kStep]) const {
    const std::uint32_t bits[4] = {a.x, a.y, a.z, a.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      v[2 * i] = half_bits(bits[i]);
      v[2 * i + 1] = half_bits(bits[i] >> 16);
    }
  }
};

template <>
struct FloatChunk<__nv_bfloat16> {
  uint4 a;
  __device__ void load(const std::uint8_t* p) { a = load_stream16(p); }
  __device__ void unpack(float (&v)[kStep]) const {
    const std::uint32_t bits[4] = {a.x, a.y, a.z, a.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      v[2 * i] = __uint_as_float(bits[i] << 16);
      v[2 * i + 1] = __uint_as_float(bits[i] & 0xffff0000u);
    }
  }
};

template <int kTokens>
__device__ __forceinline__ void multiply_chunk(const Params& p, int k, const float (&w)[kRows][kStep],
                                               float (&sums)[kRows * kTokens]) {
#pragma unroll
  for (int t = 0; t < kTokens; ++t) {
    const float* x = p.x + min(t, p.n_tokens - 1) * p.x_stride + k;
    const float4 a = *reinterpret_cast<const float4*>(x), b = *reinterpret_cast<const float4*>(x + 4);
    const float v[kStep] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
      for (int i = 0; i < kStep; ++i) sums[r * kTokens + t] = fmaf(w[r][i], v[i], sums[r * kTokens + t]);
    }
  }
}

template <typename T, int kTokens>
__global__ void __launch_bounds__(32 * kWarps) mmv_float_kernel(const __grid_constant__ Params p) {
  constexpr int kCount = kRows * kTokens;
  __shared__ float partial[kWarps][kCount];
  let_successors_start();
  const int warp = threadIdx.x / 32, lane = threadIdx.x & 31, row = blockIdx.x * kRows;
  float sums[kCount] = {};
  FloatChunk<T> rows[kRows];
  int k = threadIdx.x * kStep;
  const auto load = [&] {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      rows[r].load(p.w + (static_cast<std::size_t>(min(row + r, p.n - 1)) * p.k + k) * sizeof(T));
    }
  };
  if (k < p.k) load();
  wait_for_predecessors();
  while (k < p.k) {
    float w[kRows][kStep];
#pragma unroll
    for (int r = 0; r < kRows; ++r) rows[r].unpack(w[r]);
    multiply_chunk<kTokens>(p, k, w, sums);
    k += 32 * kWarps * kStep;
    if (k < p.k) load();
  }
  sum_over_lanes<kCount>(sums);
  if (lane % (32 / kCount) == 0) partial[warp][lane / (32 / kCount)] = sums[0];
  __syncthreads();
  const int r = threadIdx.x / kTokens, t = threadIdx.x % kTokens;
  if (threadIdx.x < kCount && row + r < p.n && t < p.n_tokens) {
    const std::int64_t at = t * p.out_stride + row + r;
    const float sum = add_parts<kCount>(partial, 0, kWarps, threadIdx.x);
    p.out[at] = p.residual ? p.residual[at] + sum : sum;
  }
}

template <typename T>
void launch(const Params& p, bool overlap, cudaStream_t stream) {
  const auto kernel = p.n_tokens == 1   ? mmv_float_kernel<T, 1>
                      : p.n_tokens <= 2 ? mmv_float_kernel<T, 2>
                      : p.n_tokens <= 4 ? mmv_float_kernel<T, 4>
                                        : mmv_float_kernel<T, 8>;
  const LaunchShape shape{static_cast<unsigned>((p.n + kRows - 1) / kRows), 32 * kWarps, 0, overlap};
  launch_kernel("mmv float", kernel, shape, stream, p);
}

}  // namespace

bool mmv_float_supported(DType type) {
  return type == DType::kF32 || type == DType::kF16 || type == DType::kBF16;
}

void launch_mmv_float(const MatmulArgs& args, bool overlap, cudaStream_t stream) {
  std::int64_t first_out = 0;
  for (int i = 0; i < args.n_weights; first_out += args.weights[i].n, ++i) {
    const WeightMatrix& w = args.weights[i];
    const Params p{static_cast<const std::uint8_t*>(w.data),
                   static_cast<int>(w.n),
                   static_cast<int>(w.k),
                   static_cast<const float*>(args.x),
                   args.x_stride / std::int64_t{sizeof(float)},
                   args.out + first_out,
                   args.n_out,
                   static_cast<int>(args.n_tokens),
                   args.residual ? args.residual + first_out : nullptr};
    if (w.type == DType::kF32)
      launch<float>(p, overlap, stream);
    else if (w.type == DType::kF16)
      launch<__half>(p, overlap, stream);
    else
      launch<__nv_bfloat16>(p, overlap, stream);
  }
}

}  // namespace minfer::cuda
