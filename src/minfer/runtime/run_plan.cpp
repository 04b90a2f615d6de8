#include "runtime/run_plan.h"

namespace minfer {
namespace {

PlannedKernel planned_kernel(const CompiledGraph& graph, const Step& step) {
  const Node& node = *step.planned.node;
  const Plan& plan = step.planned.plan;
  PlannedKernel kernel{node.label,
                       std::string(op_name(node.op)),
                       std::string(graph.device(node.device).name()),
                       plan.kernel,
                       {},
                       plan.bytes_moved,
                       plan.flops};
  for (const WeightId id : node.weights) {
    const WeightRef& ref = graph.graph().weights[static_cast<std::size_t>(id)];
    kernel.weights.push_back({ref.name, std::string(dtype_name(ref.desc.dtype)), tensor_bytes(ref.desc)});
  }
  return kernel;
}

}  // namespace

RunPlan run_plan(const CompiledGraph& graph) {
  RunPlan plan;
  for (const Step& step : graph.steps()) plan.kernels.push_back(planned_kernel(graph, step));
  for (std::size_t device = 0; device < graph.devices().size(); ++device)
    plan.activation_bytes += graph.arena_bytes(static_cast<DeviceId>(device));
  return plan;
}

}  // namespace minfer
