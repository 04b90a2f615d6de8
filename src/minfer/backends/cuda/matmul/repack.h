// Makes the layout kPlanar (weight_planes.h) on the device. Plain header.
#pragma once

#include "backends/cuda/matmul/weight_planes.h"

namespace minfer::cuda {

bool has_planes(DType type);
// Blocks of a matrix that has n_blocks, as they are in the file, to their places in its planes, which are as many bytes
// as all blocks; both on the device. REQUIRES: has_planes(type).
struct BlockRange {
  std::size_t first = 0;
  std::size_t n = 0;
};
void launch_to_planes(DType type, std::size_t n_blocks, const BlockRange& range, const void* raw,
                      void* planar, cudaStream_t stream);

}  // namespace minfer::cuda
