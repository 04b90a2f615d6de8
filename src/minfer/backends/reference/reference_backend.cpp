#include "backends/reference/reference_backend.h"

#include <algorithm>

#include "backends/reference/call.h"
#include "base/check.h"
#include "quant/traits.h"

namespace minfer {
namespace {

using reference::PlanState;

Plan refuse(std::string reason) {
  Plan plan;
  plan.reason = std::move(reason);
  return plan;
}

DType kv_cell_type(const Op& op) {
  return std::visit(
      [](const auto& o) {
        if constexpr (requires { o.kv; }) return o.kv.cell;
        return DType::kF32;
      },
      op);
}

std::uint64_t bytes_moved(const NodeSpec& spec) {
  std::uint64_t bytes = tensor_bytes(spec.output);
  for (const TensorDesc& input : spec.inputs) bytes += tensor_bytes(input);
  for (const WeightRef& weight : spec.weights) bytes += tensor_bytes(weight.desc);
  return bytes;
}

// A multiply-add for each weight and output row; ops without a weight do about one operation an element.
std::uint64_t flops(const NodeSpec& spec) {
  std::int64_t per_row = 0;
  for (const WeightRef& weight : spec.weights) per_row += 2 * weight.desc.shape.elements();
  return static_cast<std::uint64_t>(per_row ? per_row * spec.output.shape.rows()
                                            : spec.output.shape.elements());
}

}  // namespace

Plan ReferenceBackend::plan(const NodeSpec& spec) const {
  auto state = std::make_shared<PlanState>();
  state->inputs.assign(spec.inputs.begin(), spec.inputs.end());
  for (const WeightRef& weight : spec.weights) {
    const TensorView* view = weights_.find(spec.model, weight.name);
    if (!view) return refuse(fmt::format("weight {} is not registered", weight.name));
    if (!find_quant_traits(view->desc.dtype))
      return refuse(fmt::format("weight {} has type {}", weight.name, dtype_name(view->desc.dtype)));
    state->weights.push_back(*view);
  }
  const DType cell = kv_cell_type(*spec.op);
  if (!reads_packed_kv(cell)) return refuse(fmt::format("KV cells of type {}", dtype_name(cell)));

  Plan plan;
  plan.supported = true;
  plan.kernel = fmt::format("{} reference", op_name(*spec.op));
  if (!spec.inputs.empty()) plan.input_type = spec.inputs[0].dtype;
  plan.bytes_moved = bytes_moved(spec);
  plan.flops = flops(spec);
  plan.state = std::move(state);
  return plan;
}

bool ReferenceBackend::reads_packed_kv(DType cell) const {
  return cell == DType::kF32 || cell == DType::kF16 || cell == DType::kQ8_0;
}

void ReferenceBackend::register_weight(ModelId model, std::string_view name, const TensorView& view,
                                       WeightUses) {
  weights_.add(model, name, view);
}

void ReferenceBackend::write(BufferId buffer, std::size_t offset, std::span<const std::byte> bytes) {
  buffers_.write(buffer, offset, bytes);
}

void ReferenceBackend::read(BufferId buffer, std::size_t offset, std::span<std::byte> bytes) {
  buffers_.read(buffer, offset, bytes);
}

void ReferenceBackend::execute(const PlannedNode& node, const NodeBuffers& buffers) {
  MINFER_CHECK(node.plan.supported && node.plan.state, "{}: not planned here", node.node->label);
  const reference::Call call(node, buffers, buffers_);
  std::visit([&](const auto& op) { reference::run(op, call); }, node.node->op);
}

}  // namespace minfer
