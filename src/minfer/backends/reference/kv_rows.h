// The keys, or the values, of a layer's KV cells: one row a cell, decoded and encoded through the cell type's codec.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/kv_geometry.h"

namespace minfer::reference {

class KvRows {
 public:
  KvRows(const KvGeometry& geometry, std::byte* data, std::int64_t n_cells)
      : geometry_(geometry), data_(data), n_cells_(n_cells) {}

  std::int64_t n_cells() const { return n_cells_; }
  // REQUIRES: 0 <= cell < n_cells().
  std::vector<float> read(std::int64_t cell) const;  // n_head_kv * head_dim values
  void write(std::int64_t cell, std::span<const float> values) const;

 private:
  std::byte* row(std::int64_t cell) const {
    return data_ + static_cast<std::size_t>(cell) * geometry_.row_bytes();
  }

  KvGeometry geometry_;
  std::byte* data_;
  std::int64_t n_cells_;
};

}  // namespace minfer::reference
