// docs/support-matrix-cuda.md: what the CUDA backend plans, asked without a device.
#pragma once

#include <string>

namespace minfer::test {

std::string cuda_support_matrix();

}  // namespace minfer::test
