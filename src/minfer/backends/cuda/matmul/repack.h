// Makes the layout kPlanar (weight_planes.h) on the device. Plain header.
#pragma once

#include "backends/cuda/matmul/weight_planes.h"

namespace minfer::cuda {

bool has_planes(DType type);
// n_blocks blocks of the file to planes of the same size; both on the device. REQUIRES: has_planes(type).
void launch_to_planes(DType type, std::size_t n_blocks, const void* raw, void* planar, cudaStream_t stream);

}  // namespace minfer::cuda
