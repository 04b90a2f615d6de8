// The matrix-vector kernels of one type and layout, chosen by the number of tokens. A unit defines one function by
// MINFER_MMVQ_UNIT; mmvq.h lists them.
#pragma once

#include "backends/cuda/device/launch.cuh"
#include "backends/cuda/matmul/mmvq.h"
#include "backends/cuda/matmul/mmvq_ffn.cuh"

namespace minfer::cuda {

template <typename Chunk, int kRows, int kTokens>
void launch_mmvq_rows(const MmvqParams& p, bool overlap, cudaStream_t stream) {
  // As many blocks an SM as registers allow without spills: what a thread holds grows with rows times tokens.
  constexpr int kBlocks = kTokens == 1 ? (kRows == 4 ? 7 : 8) : kTokens == 2 ? 5 : kTokens == 4 ? 4 : 3;
  const int groups = kMmvqWarps / p.split;
  const unsigned n_blocks = static_cast<unsigned>((p.n_groups + groups - 1) / groups);
  launch_kernel("mmvq", mmvq_kernel<Chunk, kRows, kTokens, kBlocks>, {n_blocks, 32 * kMmvqWarps, 0, overlap},
                stream, p);
}

template <typename Chunk, int kRows, int kTokens>
void launch_mmvq_pairs(const MmvqParams& p, bool quantized, bool overlap, cudaStream_t stream) {
  constexpr int kGroups = 2 * kFfnOutputs / kRows;
  const LaunchShape shape{static_cast<unsigned>((p.n_groups + kGroups - 1) / kGroups), 32 * kFfnWarps, 0,
                          overlap};
  if (quantized) {
    launch_kernel("mmvq ffn", mmvq_ffn_kernel<Chunk, kRows, kTokens, true>, shape, stream, p);
  } else {
    launch_kernel("mmvq ffn", mmvq_ffn_kernel<Chunk, kRows, kTokens, false>, shape, stream, p);
  }
}

// kDecodeRows: rows of a warp for one token: 4 where a chunk takes few registers.
template <typename Chunk, int kDecodeRows>
void launch_mmvq_unit(MmvqParams& p, MmvqMode mode, bool overlap, cudaStream_t stream) {
  if (mode == MmvqMode::kMatrices) {
    if (p.n_tokens == 1 && number_groups(p, kDecodeRows)) {
      launch_mmvq_rows<Chunk, kDecodeRows, 1>(p, overlap, stream);
      return;
    }
    number_groups(p, 2);
    if (p.n_tokens <= 2)
      launch_mmvq_rows<Chunk, 2, 2>(p, overlap, stream);
    else if (p.n_tokens <= 4)
      launch_mmvq_rows<Chunk, 2, 4>(p, overlap, stream);
    else
      launch_mmvq_rows<Chunk, 2, 8>(p, overlap, stream);
    return;
  }
  const bool quantized = mode == MmvqMode::kFfnQuantized;
  number_pairs(p, p.n_tokens == 1 ? kDecodeRows : 2);
  if (p.n_tokens == 1)
    launch_mmvq_pairs<Chunk, kDecodeRows, 1>(p, quantized, overlap, stream);
  else if (p.n_tokens <= 2)
    launch_mmvq_pairs<Chunk, 2, 2>(p, quantized, overlap, stream);
  else if (p.n_tokens <= 4)
    launch_mmvq_pairs<Chunk, 2, 4>(p, quantized, overlap, stream);
  else
    launch_mmvq_pairs<Chunk, 2, 8>(p, quantized, overlap, stream);
}

}  // namespace minfer::cuda

#define MINFER_MMVQ_UNIT(function, type, layout, decode_rows)                                                \
  namespace minfer::cuda {                                                                                   \
  void function(MmvqParams& p, MmvqMode mode, bool overlap, cudaStream_t stream) {                           \
    launch_mmvq_unit<WeightChunk<DType::type, WeightLayout::layout>, decode_rows>(p, mode, overlap, stream); \
  }                                                                                                          \
  }
