#include "cli/doctor/model.h"

#include <algorithm>

#include "base/levers.h"

namespace minfer::cli {
namespace {

constexpr std::int64_t kPage = kKvPagePositions;

bool is_float(const std::string& type) { return type == "f32" || type == "f16" || type == "bf16"; }

void add_kernels(const RunPlan& plan, std::set<std::string> TypeUse::*kernels,
                 std::map<std::string, TypeUse>& types) {
  for (const PlannedKernel& kernel : plan.kernels)
    for (const PlannedWeight& weight : kernel.weights) (types[weight.type].*kernels).insert(kernel.kernel);
}

// Each weight once, however many nodes read it.
void add_sizes(const RunPlan& plan, std::map<std::string, TypeUse>& types) {
  std::set<std::string> seen;
  for (const PlannedKernel& kernel : plan.kernels) {
    for (const PlannedWeight& weight : kernel.weights) {
      if (!seen.insert(weight.name).second) continue;
      ++types[weight.type].n_tensors;
      types[weight.type].bytes += weight.bytes;
    }
  }
}

// Of the products in the layers: the head computes one token only.
PrefillCost prefill_cost(const RunPlan& plan, int n_tokens) {
  PrefillCost cost;
  for (const PlannedKernel& kernel : plan.kernels) {
    if (kernel.weights.empty() || !kernel.weights[0].name.starts_with("blk.")) continue;
    (is_float(kernel.weights[0].type) ? cost.flops : cost.int8_ops) +=
        static_cast<double>(kernel.flops) / n_tokens;
  }
  return cost;
}

// The engine may choose the type itself.
std::string kv_type_of(const ModelInfo& info, std::uint64_t bytes_per_position) {
  const auto values = static_cast<std::uint64_t>(2) * static_cast<std::uint64_t>(info.n_layer) *
                      static_cast<std::uint64_t>(info.n_head_kv) * static_cast<std::uint64_t>(info.head_dim);
  return bytes_per_position == 4 * values ? "f32" : bytes_per_position == 2 * values ? "f16" : "q8_0";
}

}  // namespace

std::uint64_t ModelReport::kv_bytes(std::int64_t n_positions) const {
  return static_cast<std::uint64_t>((n_positions + kPage - 1) / kPage * kPage) * kv_bytes_per_position;
}

std::uint64_t ModelReport::needed_bytes() const {
  return info.tensor_bytes + kv_bytes(n_ctx) + activation_bytes;
}

std::int64_t ModelReport::largest_context(std::uint64_t usable_bytes) const {
  const std::uint64_t fixed = info.tensor_bytes + activation_bytes;
  if (usable_bytes <= fixed || kv_bytes_per_position == 0) return 0;
  const std::uint64_t positions = (usable_bytes - fixed) / kv_bytes_per_position;
  return static_cast<std::int64_t>(std::min(positions, std::uint64_t{1} << 28)) / kPage * kPage;
}

ModelReport describe_model(const ModelOptions& options) {
  const std::shared_ptr<const Model> model = load_model(options);
  const std::unique_ptr<Engine> engine = make_engine(model, options);
  ModelReport report;
  report.info = model->info();
  report.device = engine->description();
  report.n_ctx = engine->options().n_ctx;
  report.n_prefill = std::min(engine->options().n_ubatch, report.n_ctx);
  report.kv_bytes_per_position = engine->kv_bytes_per_position();
  report.kv_type = kv_type_of(report.info, report.kv_bytes_per_position);
  const RunPlan decode = engine->plan(1);
  const RunPlan prefill = engine->plan(report.n_prefill);
  add_sizes(prefill, report.types);
  add_kernels(decode, &TypeUse::decode, report.types);
  add_kernels(prefill, &TypeUse::prefill, report.types);
  report.activation_bytes = std::max(decode.activation_bytes, prefill.activation_bytes);
  for (const PlannedKernel& kernel : prefill.kernels)
    report.on_cpu = report.on_cpu && kernel.backend == "cpu";
  report.prefill = prefill_cost(prefill, report.n_prefill);
  return report;
}

std::optional<SpeedLimits> speed_limits(const ModelReport& report, const Ceilings& ceilings) {
  if (!report.on_cpu) return std::nullopt;
  const auto weights = static_cast<double>(report.info.decode_bytes);
  const auto position = static_cast<double>(report.kv_bytes_per_position);
  const double seconds =
      report.prefill.int8_ops / ceilings.int8_ops_per_s + report.prefill.flops / ceilings.fma_flops_per_s;
  return SpeedLimits{ceilings.read_bytes_per_s / (weights + position),
                     ceilings.read_bytes_per_s / (weights + position * report.n_ctx), 1 / seconds};
}

}  // namespace minfer::cli
