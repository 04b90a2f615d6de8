// Launches of kernels that may overlap the end of the one in front (programmatic dependent launch, compute
// capability 9.0 on). Such a kernel calls griddepcontrol.wait before it touches what others wrote. A launch without
// overlap waits for everything before it, as always.
#pragma once

#include <type_traits>

#include <cuda_runtime.h>

#include "backends/cuda/device/check.h"

namespace minfer::cuda {

struct LaunchShape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  bool overlap = false;
};

// `what` is a literal, for errors.
template <typename... Params>
void launch_kernel(const char* what, void (*kernel)(Params...), const LaunchShape& shape, cudaStream_t stream,
                   std::type_identity_t<Params>... params) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = shape.grid;
  config.blockDim = shape.block;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = shape.overlap ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, params...), what);
}

}  // namespace minfer::cuda
