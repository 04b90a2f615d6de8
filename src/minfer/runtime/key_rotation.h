// Rotating stored keys to another position: what a context shift does to K rows of any cell type.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ops/kv_geometry.h"
#include "runtime/kv_cache.h"

namespace minfer {

class RowRotator {
 public:
  // offset: how many positions the rows move, negative towards the start.
  RowRotator(const KvGeometry& geometry, const KeyRotation& rotation, int offset);

  // Rotates one row (n_head_kv * head_dim values of the cell type) in place. Packed cells are decoded, rotated and
  // encoded again.
  void rotate(std::span<std::byte> row) const;

 private:
  void rotate_values(std::span<float> values) const;

  KvGeometry geometry_;
  RopeStyle style_;
  int n_dims_;
  std::vector<float> cos_, sin_;  // of each pair
};

}  // namespace minfer
