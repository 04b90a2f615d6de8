#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/matmul/decode_f16.cuh"
#include "backends/cuda/matmul/gemm_f16.h"

#include <cuda_bf16.h>

namespace minfer::cuda {
namespace {

struct Params {
  const std::uint8_t* data;
  std::size_t n_blocks;  // of the whole matrix
  std::int64_t first_row;
  std::uint32_t n_chunks;  // of the rows asked for; 32 bits: a 64-bit division costs more than decoding
  std::uint32_t chunks_per_row;
  __half* out;
  bool in_turns;
  int turn;
};

__device__ __forceinline__ std::int64_t out_row(const Params& p, std::int64_t row) {
  return p.in_turns ? row / 8 * 16 + p.turn * 8 + row % 8 : row;
}

// Two threads a chunk.
template <typename Chunk>
__global__ void decode_f16_kernel(const Params p) {
  let_successors_start();
  wait_for_predecessors();
  const std::uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / 2;
  if (i >= p.n_chunks) return;
  const std::int64_t row = i / p.chunks_per_row;
  const int chunk = static_cast<int>(i % p.chunks_per_row), j = chunk % Chunk::kLanes;
  const std::int64_t block = ((p.first_row + row) * p.chunks_per_row + chunk) / Chunk::kLanes;
  Chunk weights;
  weights.load(p.data, p.n_blocks, static_cast<std::size_t>(block), j);
  decode_chunk(weights, j, threadIdx.x % 2, p.out + (out_row(p, row) * p.chunks_per_row + chunk - j) * 32);
}

__device__ __forceinline__ __half to_half(float v) { return __float2half_rn(v); }
__device__ __forceinline__ __half to_half(__half v) { return v; }
__device__ __forceinline__ __half to_half(__nv_bfloat16 v) { return __float2half_rn(__bfloat162float(v)); }

// Of float types a chunk is 8 values.
template <typename T>
__global__ void convert_f16_kernel(const Params p) {
  let_successors_start();
  wait_for_predecessors();
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n_chunks) return;
  const std::int64_t row = i / p.chunks_per_row, chunk = i % p.chunks_per_row;
  const T* in = reinterpret_cast<const T*>(p.data) + ((p.first_row + row) * p.chunks_per_row + chunk) * 8;
  __half v[8];
#pragma unroll
  for (int j = 0; j < 8; ++j) v[j] = to_half(in[j]);
  *reinterpret_cast<uint4*>(p.out + (out_row(p, row) * p.chunks_per_row + chunk) * 8) =
      *reinterpret_cast<const uint4*>(v);
}

using Kernel = void (*)(const Params);

template <DType kType>
Kernel decode_kernel(WeightLayout layout) {
  if (layout == WeightLayout::kPlanar) return decode_f16_kernel<WeightChunk<kType, WeightLayout::kPlanar>>;
  return decode_f16_kernel<WeightChunk<kType, WeightLayout::kRaw>>;
}

Kernel find_kernel(DType type, WeightLayout layout) {
  switch (type) {
    case DType::kQ4_0:
      return decode_kernel<DType::kQ4_0>(layout);
    case DType::kQ4_1:
      return decode_kernel<DType::kQ4_1>(layout);
    case DType::kQ5_0:
      return decode_kernel<DType::kQ5_0>(layout);
    case DType::kQ5_1:
      return decode_kernel<DType::kQ5_1>(layout);
    case DType::kQ8_0:
      return decode_kernel<DType::kQ8_0>(layout);
    case DType::kQ6_K:
      return decode_kernel<DType::kQ6_K>(layout);
    default:
      break;
  }
  if (layout != WeightLayout::kRaw) return nullptr;
  switch (type) {
    case DType::kQ4_K:
      return decode_f16_kernel<WeightChunk<DType::kQ4_K, WeightLayout::kRaw>>;
    case DType::kQ5_K:
      return decode_f16_kernel<WeightChunk<DType::kQ5_K, WeightLayout::kRaw>>;
    case DType::kF32:
      return convert_f16_kernel<float>;
    case DType::kF16:
      return convert_f16_kernel<__half>;
    case DType::kBF16:
      return convert_f16_kernel<__nv_bfloat16>;
    default:
      return nullptr;
  }
}

}  // namespace

bool decode_f16_supported(DType type, WeightLayout layout) { return find_kernel(type, layout) != nullptr; }

void launch_decode_f16(const DecodeF16Args& args, bool overlap, cudaStream_t stream) {
  const WeightMatrix& w = args.weight;
  const bool is_float = w.type == DType::kF32 || w.type == DType::kF16 || w.type == DType::kBF16;
  const std::int64_t block = is_float ? 1 : w.type >= DType::kQ4_K ? 256 : 32;
  Params p;
  p.data = static_cast<const std::uint8_t*>(w.data);
  p.n_blocks = static_cast<std::size_t>(w.n * w.k / block);
  p.first_row = args.first_row;
  p.chunks_per_row = static_cast<std::uint32_t>(w.k / (is_float ? 8 : 32));
  p.n_chunks = static_cast<std::uint32_t>(args.n_rows) * p.chunks_per_row;
  p.out = static_cast<__half*>(args.out);
  p.in_turns = args.in_turns;
  p.turn = args.turn;
  const unsigned grid = ((is_float ? 1 : 2) * p.n_chunks + 255) / 256;
  launch_kernel("decode f16", find_kernel(w.type, w.layout), {grid, 256, 0, overlap}, stream, p);
}

}  // namespace minfer::cuda
