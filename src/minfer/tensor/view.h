// Plain descriptions of tensors: TensorDesc says what, TensorView also where. Neither owns memory.
#pragma once

#include <cstddef>

#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace minfer {

struct TensorDesc {
  DType dtype = DType::kF32;
  Shape shape;
  bool operator==(const TensorDesc&) const = default;
};

// Bytes of a contiguous tensor. REQUIRES: cols() is a multiple of the type's block.
std::size_t tensor_bytes(const TensorDesc& desc);

struct TensorView {
  TensorDesc desc;
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
};

}  // namespace minfer
