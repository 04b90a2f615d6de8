#include "backends/cuda/node_planner.h"

#include <algorithm>
#include <atomic>

#include "base/check.h"

namespace minfer::cuda {
namespace {

Plan unsupported(std::string reason) {
  Plan plan;
  plan.reason = std::move(reason);
  return plan;
}

std::size_t bytes_of(const TensorDesc& desc) { return desc.dtype == DType::kHandle ? 0 : tensor_bytes(desc); }

std::uint64_t default_bytes_moved(const NodeSpec& spec) {
  std::uint64_t bytes = bytes_of(spec.output);
  for (const TensorDesc& desc : spec.inputs) bytes += bytes_of(desc);
  for (const WeightRef& weight : spec.weights) bytes += tensor_bytes(weight.desc);
  return bytes;
}

std::int32_t next_number() {
  static std::atomic<std::int32_t> counter{0};
  return ++counter;
}

std::shared_ptr<NodeState> make_state(const PlanContext& context, const Candidate& candidate,
                                      const Plan& plan) {
  auto state = std::make_shared<NodeState>();
  state->candidate = &candidate;
  state->input_descs.assign(context.spec.inputs.begin(), context.spec.inputs.end());
  for (const TensorDesc& desc : context.spec.inputs) state->input_bytes.push_back(bytes_of(desc));
  state->output_bytes = bytes_of(context.spec.output);
  state->workspace_bytes = plan.workspace_bytes;
  state->candidate_state = plan.state;
  state->number = next_number();
  state->label = context.spec.label;
  return state;
}

// `why`: what the candidates before this one said.
Plan plan_candidate(const PlanContext& context, const Candidate& candidate, std::string why) {
  Plan plan;
  plan.supported = true;
  plan.reason = std::move(why);
  plan.kernel = candidate.name;
  plan.input_type = context.spec.inputs.empty() ? DType::kF32 : context.input(0).dtype;
  plan.bytes_moved = default_bytes_moved(context.spec);
  candidate.plan(context, plan);
  plan.state = make_state(context, candidate, plan);
  return plan;
}

Plan choose(const PlanContext& context) {
  const std::string_view op = op_name(*context.spec.op);
  const OpKernels* kernels = find_op_kernels(op);
  if (!kernels) return unsupported(fmt::format("no kernel for op {}", op));
  for (const Candidate* candidate : kernels->candidates)
    if (candidate->name == context.options.kernel && candidate->refuse(context).empty())
      return plan_candidate(context, *candidate, "forced");
  std::string reasons;
  std::string reason;
  for (const Candidate* candidate : kernels->candidates) {
    if (candidate->pays && !candidate->pays(context)) continue;
    reason = candidate->refuse(context);
    if (reason.empty()) return plan_candidate(context, *candidate, std::move(reasons));
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", candidate->name, reason);
  }
  return unsupported(std::move(reason));  // of the last one, which takes most
}

}  // namespace

Plan plan_node(const NodeSpec& spec, const WeightStore& weights, const DeviceLimits& limits,
               const KernelOptions& options) {
  std::vector<const WeightStore::Entry*> entries;
  std::vector<DeviceWeight> descriptions;
  for (const WeightRef& ref : spec.weights) {
    const WeightStore::Entry* entry = weights.find(spec.model, ref.name);
    if (!entry) return unsupported(fmt::format("weight {} is not registered", ref.name));
    entries.push_back(entry);
    descriptions.push_back(entry->device);
  }
  Plan plan = choose({spec, descriptions, limits, options});
  // The state was made here a moment ago, and nobody else has it.
  if (plan.supported)
    std::const_pointer_cast<NodeState>(std::static_pointer_cast<const NodeState>(plan.state))->weights =
        std::move(entries);
  return plan;
}

}  // namespace minfer::cuda
