// Descriptors for bulk tensor copies (compute capability 9.0). Made on the host, passed to kernels by value.
#pragma once

#include <cstdint>

#include <cuda.h>

namespace minfer::cuda {

// A float16 matrix (rows, k), k contiguous and a multiple of 8, copied in boxes of box_rows x 64 with 128-byte
// swizzle; what lies beyond is zero. Throws DeviceError where the driver refuses.
CUtensorMap f16_tensor_map(const void* data, std::int64_t rows, std::int64_t k, int box_rows);

}  // namespace minfer::cuda
