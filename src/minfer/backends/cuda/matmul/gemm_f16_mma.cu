// The float16 product on the tensor cores of any GPU of compute capability 8.0 on: tiles of 128 rows x 128 tokens,
// 8 warps of 64 x 32 each, a ring of 3 stages of 32 k filled with cp.async.
#include <algorithm>

#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/matmul/gemm_epilogue.cuh"
#include "backends/cuda/matmul/gemm_f16.h"
#include "backends/cuda/matmul/mma.cuh"
#include "backends/cuda/matmul/ptx.cuh"

namespace minfer::cuda {
namespace {

constexpr int kTile = 128, kStep = 32, kStages = 3, kThreads = 256;
constexpr int kTileBytes = kTile * kStep * 2, kStageBytes = 2 * kTileBytes;  // 48 KB in all: needs no opt-in

struct Params {
  GemmOutput out;
  const std::uint8_t* w;
  const std::uint8_t* x;
  int k;
};

#ifdef MINFER_HAS_MMA
// Of a tile of rows of 64 bytes: 16-byte piece `piece` of row `row`, moved so that 8 rows of a piece lie in 8 banks.
__device__ __forceinline__ std::uint32_t piece_offset(int row, int piece) {
  return static_cast<std::uint32_t>(row * 64 + ((piece ^ (row >> 1 & 3)) << 4));
}

// Rows first .. first + 127, clamped to the last one, columns k0 .. k0 + 31.
__device__ __forceinline__ void load_tile(std::uint32_t target, const std::uint8_t* source, int k, int k0,
                                          int first, int n_rows) {
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int piece = threadIdx.x + i * kThreads, row = piece / 4;
    const std::int64_t from = std::min(first + row, n_rows - 1);
    copy16_async(target + piece_offset(row, piece % 4), source + (from * k + k0 + piece % 4 * 8) * 2);
  }
}

// The products of a stage: a warp's 64 x 32 part.
__device__ __forceinline__ void multiply_stage(std::uint32_t stage, int warp_row, int warp_token,
                                               float (&d)[4][4][4]) {
  const int lane = threadIdx.x & 31;
#pragma unroll
  for (int step = 0; step < 2; ++step) {
    std::uint32_t a[4][4], b[2][4];
#pragma unroll
    for (int m = 0; m < 4; ++m) {
      load_matrices(a[m], stage + piece_offset(warp_row + 16 * m + lane % 16, 2 * step + lane / 16));
    }
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      const int row = warp_token + 16 * n + lane % 8 + lane / 16 * 8;
      load_matrices(b[n], stage + kTileBytes + piece_offset(row, 2 * step + lane / 8 % 2));
    }
#pragma unroll
    for (int m = 0; m < 4; ++m) {
#pragma unroll
      for (int n = 0; n < 4; ++n) mma_f16(d[m][n], a[m], b[n / 2][n % 2 * 2], b[n / 2][n % 2 * 2 + 1]);
    }
  }
}
#endif

template <bool kSwiglu>
__global__ void __launch_bounds__(kThreads, 2) gemm_f16_mma_kernel(const Params p) {
#ifdef MINFER_HAS_MMA
  extern __shared__ __align__(128) std::uint8_t shared[];
  const std::uint32_t base = to_shared(shared);
  const int row = blockIdx.y * kTile, token = blockIdx.x * kTile, n_steps = p.k / kStep;
  const int warp = threadIdx.x / 32, warp_row = warp % 2 * 64, warp_token = warp / 2 * 32;
  let_successors_start();
  wait_for_predecessors();
  const auto load = [&](int step) {
    if (step < n_steps) {
      const std::uint32_t stage = base + step % kStages * kStageBytes;
      load_tile(stage, p.w, p.k, step * kStep, row, p.out.n);
      load_tile(stage + kTileBytes, p.x, p.k, step * kStep, token, p.out.n_tokens);
    }
    copies_commit();
  };
  float d[4][4][4] = {};
  for (int i = 0; i < kStages - 1; ++i) load(i);
  for (int step = 0; step < n_steps; ++step) {
    copies_wait<kStages - 2>();
    __syncthreads();  // the stage is there for all, and all are done with the one before
    load(step + kStages - 1);
    multiply_stage(base + step % kStages * kStageBytes, warp_row, warp_token, d);
  }
#pragma unroll
  for (int m = 0; m < 4; ++m) {
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      store_sums<kSwiglu>(p.out, d[m][n], row + warp_row + 16 * m, token + warp_token + 8 * n);
    }
  }
#endif
}

}  // namespace

bool gemm_f16_mma_supported(const DeviceLimits& limits) { return limits.has_cp_async(); }

void launch_gemm_f16_mma(const GemmF16Args& args, bool overlap, cudaStream_t stream) {
  Params p;
  p.out = {args.out, args.out_stride, args.token_scale, args.row_scale, args.residual, args.n, args.n_tokens};
  p.w = static_cast<const std::uint8_t*>(args.w);
  p.x = static_cast<const std::uint8_t*>(args.x);
  p.k = args.k;
  const LaunchShape shape{{static_cast<unsigned>((args.n_tokens + kTile - 1) / kTile),
                           static_cast<unsigned>((args.n + kTile - 1) / kTile)},
                          kThreads,
                          kStages * kStageBytes,
                          overlap};
  if (args.swiglu)
    launch_kernel("gemm f16 mma", gemm_f16_mma_kernel<true>, shape, stream, p);
  else
    launch_kernel("gemm f16 mma", gemm_f16_mma_kernel<false>, shape, stream, p);
}

}  // namespace minfer::cuda
