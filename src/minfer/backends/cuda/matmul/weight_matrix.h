// A weight matrix on the device, and the layouts that it may have there. Plain header.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "tensor/dtype.h"

namespace minfer::cuda {

// How the bytes of a matrix lie on the device. Every layout but kRaw is made from the raw bytes when the model is
// loaded (weight_layout.h) and replaces them for matrix products: its kernels must then cover every number of tokens.
enum class WeightLayout : std::uint8_t {
  kRaw,  // as in the file: rows of blocks, row r at r * row_bytes(type, k), the first one at a multiple of 256 bytes
  kPlanar,  // the fields of all blocks one after another: weight_planes.h
};

struct WeightMatrix {
  const void* data = nullptr;
  DType type = DType::kF32;
  WeightLayout layout = WeightLayout::kRaw;
  std::int64_t n = 0;          // rows: outputs
  std::int64_t k = 0;          // columns: values of a row of x
  std::int64_t row_bytes = 0;  // of kRaw: from a row to the next
};

}  // namespace minfer::cuda
