// Fetching a few small pieces of pinned host memory with one kernel. Plain header.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace minfer::cuda {

struct ScatterArgs {
  static constexpr int kMaxPieces = 16;
  struct Piece {
    std::byte* target;        // device memory, at a multiple of 4 bytes
    const std::byte* source;  // pinned memory of the host, likewise
    std::uint32_t words;      // of 4 bytes
  };
  Piece pieces[kMaxPieces];
  int n = 0;
};

// Pieces do not overlap, or later ones win.
void launch_scatter(const ScatterArgs& args, cudaStream_t stream);

}  // namespace minfer::cuda
