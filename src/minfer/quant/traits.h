// What the engine knows about a weight type: its scalar codec (the oracle for every kernel) and the activation
// format that its integer dot product reads. A file of each type defines them; quant_list.h names the types.
#pragma once

#include <cstdint>
#include <span>

#include "tensor/dtype.h"

namespace minfer {

struct QuantTraits {
  DType type;
  // Decodes n values (a multiple of the block) of consecutive blocks. Never fails, whatever the bytes are.
  void (*decode)(const void* blocks, float* values, std::int64_t n);
  // Encodes n values as ggml's reference encoder does, bit for bit, without an importance matrix. Null where
  // only decoding exists. Values must be finite (the caller checks).
  void (*encode)(const float* values, void* blocks, std::int64_t n);
  // kQ8Row32 or kQ8Row256 for types with an integer dot product, kF32 where activations stay float32.
  DType activation;
};

// Null for a type that the engine cannot compute with.
const QuantTraits* find_quant_traits(DType type) noexcept;
// Throws UnsupportedError naming the type.
const QuantTraits& quant_traits(DType type);
std::span<const QuantTraits* const> all_quant_traits() noexcept;

}  // namespace minfer
