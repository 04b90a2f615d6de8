#include "backends/cuda/ops/kv_cells.h"

#include "base/check.h"

namespace minfer::cuda {

KvCells kv_cells(const Launch& launch, const KvGeometry& kv) {
  const KvSpan& span = launch.kv;
  MINFER_CHECK(span.k && span.v && span.n_cells > 0, "{}: no KV regions", launch.node.label);
  const std::size_t needed = kv.row_bytes() * static_cast<std::size_t>(span.n_cells);
  MINFER_CHECK(span.bytes >= needed, "{}: KV regions of {} bytes for {} cells of {}", launch.node.label,
               span.bytes, span.n_cells, kv.row_bytes());
  return {span.k,
          span.v,
          span.n_cells,
          kv.cell,
          kv.n_head_kv,
          kv.head_dim,
          static_cast<std::int64_t>(kv.row_bytes())};
}

}  // namespace minfer::cuda
