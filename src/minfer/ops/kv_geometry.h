// How a layer's keys and values lie in the KV cache. Positions are grouped in pages of kKvPageSize cells; a
// cell holds one token's row. Keys and values of a layer are two regions of n_cells rows each.
#pragma once

#include <cstdint>

#include "tensor/dtype.h"

namespace minfer {

inline constexpr int kKvPageSize = 64;

struct KvGeometry {
  int layer = 0;
  int n_head_kv = 0;
  int head_dim = 0;
  DType cell = DType::kF32;  // kF32, kF16 or kQ8_0 (34-byte blocks along the row)

  std::int64_t row_values() const { return std::int64_t{n_head_kv} * head_dim; }  // of K, and of V
  std::size_t row_bytes() const { return minfer::row_bytes(cell, row_values()); }
  bool operator==(const KvGeometry&) const = default;
};

}  // namespace minfer
