// Writing rows into a layer's KV regions.
#pragma once

#include "backends/cpu/kernel_table.h"

namespace minfer {

// The regions must hold what they say they hold (InternalError).
void check_kv_region(const Launch& launch, const KvGeometry& kv);
// Throws InternalError naming the first cell outside the region.
void check_cells(const Launch& launch, const std::int32_t* cells, std::int64_t n);

// Converts a float row to the cell type and puts it into `cell` of a region (launch.kv.k or .v).
void store_cell(const Launch& launch, const KvGeometry& kv, std::byte* region, std::int32_t cell,
                const float* row);

}  // namespace minfer
