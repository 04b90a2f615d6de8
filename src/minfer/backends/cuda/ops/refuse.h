// Predicates of candidates: why not, or empty.
#pragma once

#include <string>

#include "backends/cuda/kernel_table.h"
#include "ops/kv_geometry.h"

namespace minfer::cuda {

std::string accept(const PlanContext& context);  // whatever the shape rule lets through
// Float weights, and float inputs where an input is not integers or a handle.
std::string refuse_unless_f32(const PlanContext& context);
// Rows as float32, or as kQ8Row32 where they are made of whole groups of 32.
std::string refuse_output(DType output, std::int64_t n);
// F32, F16, and q8_0 where heads are made of whole blocks; heads of at most 256 values, a multiple of 8.
std::string refuse_cells(const KvGeometry& kv);

// `per_value` floating-point operations for each output value.
template <int per_value>
void plan_flops(const PlanContext& context, Plan& plan) {
  plan.flops = static_cast<std::uint64_t>(context.spec.output.shape.elements()) * per_value;
}

}  // namespace minfer::cuda
