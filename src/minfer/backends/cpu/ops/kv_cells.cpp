#include "backends/cpu/ops/kv_cells.h"

#include <cstring>

namespace minfer {

void check_kv_region(const Launch& launch, const KvGeometry& kv) {
  const std::size_t needed = static_cast<std::size_t>(launch.kv.n_cells) * kv.row_bytes();
  MINFER_CHECK(launch.kv.k && launch.kv.v && launch.kv.n_cells >= 0 && launch.kv.bytes >= needed,
               "{}: KV regions of {} bytes for {} cells, which take {}", launch.node.label, launch.kv.bytes,
               launch.kv.n_cells, needed);
}

void check_cells(const Launch& launch, const std::int32_t* cells, std::int64_t n) {
  for (std::int64_t t = 0; t < n; ++t) {
    MINFER_CHECK(cells[t] >= 0 && cells[t] < launch.kv.n_cells, "{}: token {} has cell {} of {}",
                 launch.node.label, t, cells[t], launch.kv.n_cells);
  }
}

void store_cell(const Launch& launch, const KvGeometry& kv, std::byte* region, std::int32_t cell,
                const float* row) {
  std::byte* target = region + static_cast<std::size_t>(cell) * kv.row_bytes();
  if (kv.cell == DType::kF32) {
    std::memcpy(target, row, kv.row_bytes());
  } else if (kv.cell == DType::kF16) {
    launch.kernels.encode_f16(row, target, kv.row_values());
  } else {
    launch.kernels.encode_q8_0(row, target, kv.row_values());
  }
}

}  // namespace minfer
