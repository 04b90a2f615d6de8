// A layer's KV regions as kernels see them.
#pragma once

#include "backends/cuda/attention/args.h"
#include "backends/cuda/kernel_table.h"
#include "ops/kv_geometry.h"

namespace minfer::cuda {

// Throws InternalError where the regions are smaller than they say.
KvCells kv_cells(const Launch& launch, const KvGeometry& kv);

}  // namespace minfer::cuda
