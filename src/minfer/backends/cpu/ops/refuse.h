// Predicates of candidates: why not, or empty.
#pragma once

#include <string>

#include "backends/cpu/kernel_table.h"

namespace minfer {

std::string accept(const PlanContext& context);  // whatever the shape rule lets through
// Float weights, and float inputs where an input is not integers or a handle.
std::string refuse_unless_f32(const PlanContext& context);
// F32 cells; q8_0 cells where heads are made of whole blocks.
std::string refuse_cells(const KvGeometry& kv);

// `per_value` floating-point operations for each output value.
template <int per_value>
void plan_flops(const PlanContext& context, Plan& plan) {
  plan.flops = static_cast<std::uint64_t>(context.spec.output.shape.elements()) * per_value;
}

}  // namespace minfer
