// The float16 product on Hopper's tensor cores: a block makes 128 rows x kTokens tokens at a time, two warpgroups
// 64 rows each, fed by a third that keeps a ring of tiles in shared memory filled with bulk tensor copies. Blocks
// are as many as SMs and walk over the tiles, tokens fastest, so that the weights of a row tile are read from
// memory once.
#include <algorithm>

#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/device/shared_memory.h"
#include "backends/cuda/device/tensor_map.h"
#include "backends/cuda/matmul/barrier.cuh"
#include "backends/cuda/matmul/gemm_epilogue.cuh"
#include "backends/cuda/matmul/gemm_f16.h"
#include "backends/cuda/matmul/ptx.cuh"
#include "backends/cuda/matmul/wgmma.cuh"

namespace minfer::cuda {
namespace {

constexpr int kRows = 128;  // of a tile
constexpr int kStep = 64;   // of k: 128 bytes, the width of the swizzle

template <int kTokens>
struct Ring {
  static constexpr int kWeightBytes = kRows * kStep * 2, kActivationBytes = kTokens * kStep * 2;
  static constexpr int kStageBytes = kWeightBytes + kActivationBytes;
  static constexpr int kStages = kTokens == 256 ? 4 : 6;
  static constexpr int kBytes = kStages * kStageBytes + 2 * 8 * kStages + 1024;  // 1024: alignment
};

struct Params {
  GemmOutput out;
  int k_steps;
  int row_tiles;
  int token_tiles;
};

template <int kTokens, bool kSwiglu>
__global__ void __launch_bounds__(384, 1)
    gemm_f16_kernel(const __grid_constant__ CUtensorMap weights,
                    const __grid_constant__ CUtensorMap activations, const __grid_constant__ Params p) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  using R = Ring<kTokens>;
  extern __shared__ std::uint8_t shared[];
  const std::uint32_t base = (shared_address(shared) + 1023) & ~1023u;
  const std::uint32_t full = base + R::kStages * R::kStageBytes, empty = full + 8 * R::kStages;
  const int warpgroup = threadIdx.x / 128;
  if (threadIdx.x == 0) {
    for (int i = 0; i < R::kStages; ++i) {
      barrier_init(full + 8 * i, 1);
      barrier_init(empty + 8 * i, 8);  // a warp each
    }
    barrier_init_done();
  }
  let_successors_start();
  wait_for_predecessors();
  __syncthreads();
  const int n_tiles = p.row_tiles * p.token_tiles;
  RingSlot<R::kStages> slot;
  if (warpgroup == 2) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 256) {
      slot.parity = 1;  // every slot is empty at first
      for (int tile = blockIdx.x; tile < n_tiles; tile += gridDim.x) {
        const int row = tile / p.token_tiles * kRows, token = tile % p.token_tiles * kTokens;
        for (int step = 0; step < p.k_steps; ++step, slot.advance()) {
          const std::uint32_t stage = base + slot.index * R::kStageBytes, bar = full + 8 * slot.index;
          barrier_wait(empty + 8 * slot.index, slot.parity);
          barrier_expect(bar, R::kStageBytes);
          copy_box(stage, &weights, step * kStep, row, bar);
          copy_box(stage + R::kWeightBytes, &activations, step * kStep, token, bar);
        }
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    for (int tile = blockIdx.x; tile < n_tiles; tile += gridDim.x) {
      float d[kTokens / 2] = {};
      int previous = -1;
      for (int step = 0; step < p.k_steps; ++step, slot.advance()) {
        barrier_wait(full + 8 * slot.index, slot.parity);
        const std::uint32_t stage = base + slot.index * R::kStageBytes;
        const std::uint64_t a = wgmma_descriptor(stage + warpgroup * (R::kWeightBytes / 2));
        const std::uint64_t b = wgmma_descriptor(stage + R::kWeightBytes);
        wgmma_fence();
#pragma unroll
        for (int i = 0; i < kStep / 16; ++i) Wgmma<kTokens>::ss(d, a + 2 * i, b + 2 * i);
        wgmma_commit();
        wgmma_wait<1>();  // the step before is done with its slot
        if (previous >= 0 && threadIdx.x % 32 == 0) barrier_arrive(empty + 8 * previous);
        previous = slot.index;
      }
      wgmma_wait<0>();
      if (threadIdx.x % 32 == 0) barrier_arrive(empty + 8 * previous);
      const int row = tile / p.token_tiles * kRows + threadIdx.x / 32 * 16,
                token = tile % p.token_tiles * kTokens;
#pragma unroll
      for (int j = 0; j < kTokens / 8; ++j) store_sums<kSwiglu>(p.out, d + 4 * j, row, token + 8 * j);
    }
  }
#endif
}

template <int kTokens, bool kSwiglu>
void launch(const GemmF16Args& args, int n_sms, cudaStream_t stream) {
  Params p;
  p.out = {args.out, args.out_stride, args.token_scale, args.row_scale, args.residual, args.n, args.n_tokens};
  p.k_steps = (args.k + kStep - 1) / kStep;
  p.row_tiles = (args.n + kRows - 1) / kRows;
  p.token_tiles = (args.n_tokens + kTokens - 1) / kTokens;
  const CUtensorMap w = f16_tensor_map(args.w, args.n, args.k, kRows);
  const CUtensorMap x = f16_tensor_map(args.x, args.n_tokens, args.k, kTokens);
  const unsigned grid = static_cast<unsigned>(std::min(n_sms, p.row_tiles * p.token_tiles));
  launch_kernel("gemm f16", gemm_f16_kernel<kTokens, kSwiglu>, {grid, 384, Ring<kTokens>::kBytes, true},
                stream, w, x, p);
}

// Relative times of a tile, measured; the last wave counts whole.
int choose_tokens(const GemmF16Args& args, int n_sms) {
  const auto cost = [&](int tokens, double tile) {
    const int tiles = (args.n + kRows - 1) / kRows * ((args.n_tokens + tokens - 1) / tokens);
    return (tiles + n_sms - 1) / n_sms * tile;
  };
  const double wide = cost(256, 1.0), middle = cost(128, 0.56), narrow = cost(64, 0.36);
  return wide <= middle && wide <= narrow ? 256 : middle <= narrow ? 128 : 64;
}

template <bool kSwiglu>
void launch_best(const GemmF16Args& args, int n_sms, cudaStream_t stream) {
  switch (choose_tokens(args, n_sms)) {
    case 256:
      return launch<256, kSwiglu>(args, n_sms, stream);
    case 128:
      return launch<128, kSwiglu>(args, n_sms, stream);
    default:
      return launch<64, kSwiglu>(args, n_sms, stream);
  }
}

template <int kTokens>
void allow() {
  allow_shared_memory(reinterpret_cast<const void*>(gemm_f16_kernel<kTokens, false>), Ring<kTokens>::kBytes);
  allow_shared_memory(reinterpret_cast<const void*>(gemm_f16_kernel<kTokens, true>), Ring<kTokens>::kBytes);
}

}  // namespace

bool gemm_f16_sm90_supported(const DeviceLimits& limits) {
#ifdef MINFER_SM90A
  constexpr bool kBuilt = true;
#else
  constexpr bool kBuilt = false;  // the kernels are empty
#endif
  return kBuilt && limits.has_wgmma() && limits.shared_per_block >= Ring<256>::kBytes;
}

void prepare_gemm_f16_sm90() {
  allow<64>();
  allow<128>();
  allow<256>();
}

void launch_gemm_f16_sm90(const GemmF16Args& args, const DeviceLimits& limits, cudaStream_t stream) {
  args.swiglu ? launch_best<true>(args, limits.n_sms, stream)
              : launch_best<false>(args, limits.n_sms, stream);
}

}  // namespace minfer::cuda
