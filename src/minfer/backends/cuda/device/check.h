// Every call of the CUDA runtime goes through here: a call that fails throws, with its text and CUDA's reason.
// Plain header: kernels' .cu units include it too.
#pragma once

#include <cuda_runtime_api.h>

namespace minfer::cuda {

// Throws OutOfMemoryError for cudaErrorMemoryAllocation, DeviceError for anything else but success.
// `what` is a literal.
void check(cudaError_t error, const char* what);

// After every kernel launch: whether the launch itself was accepted (bad configuration, missing image). Errors of a
// running kernel show at the next synchronization. `kernel` is a literal.
void check_launch(const char* kernel);

}  // namespace minfer::cuda

#define MINFER_CUDA(call) ::minfer::cuda::check((call), #call)
