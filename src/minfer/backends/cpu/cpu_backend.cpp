#include "backends/cpu/cpu_backend.h"

#include <algorithm>
#include <array>
#include <vector>

#include "backends/cpu/kernel_table.h"
#include "base/check.h"
#include "base/cpu_count.h"
#include "base/levers.h"

namespace minfer {
namespace {

constexpr std::size_t kMaxInputs = 8;

// What plan leaves for execute.
struct NodeState {
  const Candidate* candidate = nullptr;
  const CpuKernels* kernels = nullptr;
  std::vector<TensorView> weights;
  std::vector<TensorDesc> input_descs;
  std::vector<std::size_t> input_bytes;
  std::size_t output_bytes = 0;
  std::size_t workspace_bytes = 0;
  std::shared_ptr<const void> candidate_state;
};

CpuIsa choose_isa(const CpuOptions& options) {
  const std::vector<CpuIsa> usable = usable_isas(allowed_cpu_features(detect_cpu_features(), levers()));
  if (!options.isa) return usable.back();
  if (std::find(usable.begin(), usable.end(), *options.isa) == usable.end()) {
    throw InvalidRequestError(
        fmt::format("this CPU cannot run, or is not allowed to run, {} kernels", isa_name(*options.isa)));
  }
  return *options.isa;
}

Plan unsupported(std::string reason) {
  Plan plan;
  plan.reason = std::move(reason);
  return plan;
}

std::size_t bytes_of(const TensorDesc& desc) { return desc.dtype == DType::kHandle ? 0 : tensor_bytes(desc); }

std::uint64_t default_bytes_moved(const PlanContext& context) {
  std::uint64_t bytes = bytes_of(context.spec.output);
  for (const TensorDesc& desc : context.spec.inputs) bytes += bytes_of(desc);
  for (const TensorView& weight : context.weights) bytes += weight.bytes;
  return bytes;
}

std::shared_ptr<NodeState> make_state(const PlanContext& context, const Candidate& candidate,
                                      const Plan& plan) {
  auto state = std::make_shared<NodeState>();
  state->candidate = &candidate;
  state->kernels = &context.kernels;
  state->weights.assign(context.weights.begin(), context.weights.end());
  state->input_descs.assign(context.spec.inputs.begin(), context.spec.inputs.end());
  for (const TensorDesc& desc : context.spec.inputs) state->input_bytes.push_back(bytes_of(desc));
  state->output_bytes = bytes_of(context.spec.output);
  state->workspace_bytes = plan.workspace_bytes;
  state->candidate_state = plan.state;
  return state;
}

Plan plan_candidate(const PlanContext& context, const Candidate& candidate) {
  Plan plan;
  plan.supported = true;
  plan.kernel = fmt::format("{} {}", candidate.name, isa_name(context.isa));
  plan.input_type = context.spec.inputs.empty() ? DType::kF32 : context.input(0).dtype;
  plan.bytes_moved = default_bytes_moved(context);
  candidate.plan(context, plan);
  plan.state = make_state(context, candidate, plan);
  return plan;
}

void check_bytes(std::string_view label, std::string_view what, std::size_t actual, std::size_t needed) {
  MINFER_CHECK(actual >= needed, "{}: {} of {} bytes, not {}", label, what, actual, needed);
}

void check_buffers(const NodeState& state, std::string_view label, const NodeBuffers& buffers) {
  const std::size_t n_inputs = state.input_bytes.size();
  MINFER_CHECK(buffers.inputs.size() == n_inputs && n_inputs <= kMaxInputs, "{}: {} inputs, not {}", label,
               buffers.inputs.size(), n_inputs);
  for (std::size_t i = 0; i < n_inputs; ++i)
    check_bytes(label, "an input", buffers.inputs[i].bytes, state.input_bytes[i]);
  check_bytes(label, "an output", buffers.output.bytes, state.output_bytes);
  check_bytes(label, "a workspace", buffers.workspace.bytes, state.workspace_bytes);
}

KvSpan kv_span(const HostBuffers& buffers, const KvRegion& region) {
  if (region.k == kNoBuffer || region.v == kNoBuffer) return {};
  return {buffers.data(region.k), buffers.data(region.v),
          std::min(buffers.bytes(region.k), buffers.bytes(region.v)), region.n_cells};
}

}  // namespace

CpuOptions cpu_options(const Levers& levers) {
  CpuOptions options;
  options.kernel = levers.kernel;
  options.fused_q8_kv = !levers.no_fused_q8_kv;
  return options;
}

bool has_cpu_kernel(std::string_view name) {
  const auto names_it = [&](const OpKernels* op) {
    return std::any_of(op->candidates.begin(), op->candidates.end(),
                       [&](const Candidate& candidate) { return candidate.name == name; });
  };
  const auto ops = all_op_kernels();
  return std::any_of(ops.begin(), ops.end(), names_it);
}

CpuBackend::CpuBackend(const CpuOptions& options)
    : options_(options),
      isa_(choose_isa(options)),
      pool_(options.n_threads != 0 ? options.n_threads : count_cpus().default_threads()) {}

CpuBackend::~CpuBackend() = default;

std::string CpuBackend::description() const {
  return fmt::format("{}, {} kernels, {} thread{}", cpu_name(), isa_name(isa_), pool_.size(),
                     pool_.size() == 1 ? "" : "s");
}

Plan CpuBackend::plan(const NodeSpec& spec) const {
  std::vector<TensorView> weights;
  for (const WeightRef& ref : spec.weights) {
    const TensorView* view = weights_.find(spec.model, ref.name);
    if (!view) return unsupported(fmt::format("weight {} is not registered", ref.name));
    weights.push_back(*view);
  }
  return plan_candidates({spec, weights, cpu_kernels(isa_), isa_, pool_.size(), options_.fused_q8_kv});
}

Plan CpuBackend::plan_candidates(const PlanContext& context) const {
  const std::string_view op = op_name(*context.spec.op);
  const OpKernels* kernels = find_op_kernels(op);
  if (!kernels) return unsupported(fmt::format("no kernel for op {}", op));
  const auto forced = std::find_if(kernels->candidates.begin(), kernels->candidates.end(),
                                   [&](const Candidate& c) { return c.name == options_.kernel; });
  if (forced != kernels->candidates.end() && forced->refuse(context).empty())
    return plan_candidate(context, *forced);
  std::string reason;
  for (const Candidate& candidate : kernels->candidates) {
    if (candidate.pays && !candidate.pays(context)) continue;
    reason = candidate.refuse(context);
    if (reason.empty()) return plan_candidate(context, candidate);
  }
  return unsupported(std::move(reason));
}

void CpuBackend::register_weight(ModelId model, std::string_view name, const TensorView& view,
                                 WeightUses /*uses*/) {
  weights_.add(model, name, view);
}

void CpuBackend::write(BufferId buffer, std::size_t offset, std::span<const std::byte> bytes) {
  buffers_.write(buffer, offset, bytes);
}

void CpuBackend::read(BufferId buffer, std::size_t offset, std::span<std::byte> bytes) {
  buffers_.read(buffer, offset, bytes);
}

void CpuBackend::execute(const PlannedNode& planned, const NodeBuffers& buffers) {
  const auto& state = *static_cast<const NodeState*>(planned.plan.state.get());
  check_buffers(state, planned.node->label, buffers);
  std::array<std::byte*, kMaxInputs> inputs{};
  for (std::size_t i = 0; i < buffers.inputs.size(); ++i) inputs[i] = buffers_.data(buffers.inputs[i]);
  state.candidate->launch({*planned.node, state.weights, state.candidate_state.get(), state.input_descs,
                           std::span(inputs.data(), buffers.inputs.size()), buffers_.data(buffers.output),
                           buffers_.data(buffers.workspace), kv_span(buffers_, buffers.kv), *state.kernels,
                           pool_});
}

}  // namespace minfer
