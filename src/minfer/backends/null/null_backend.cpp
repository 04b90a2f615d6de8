#include "backends/null/null_backend.h"

#include <fmt/core.h>

#include <algorithm>

namespace minfer {
namespace {

bool is_product(const Op& op) {
  return std::holds_alternative<MatMul>(op) || std::holds_alternative<FusedQKV>(op) ||
         std::holds_alternative<FusedFFN>(op) || std::holds_alternative<MatMulAdd>(op);
}

bool is_quantized(const WeightRef& weight) { return dtype_info(weight.desc.dtype).block_values > 1; }

std::uint64_t bytes_of(const NodeSpec& spec) {
  std::uint64_t bytes = spec.output.dtype == DType::kHandle ? 0 : tensor_bytes(spec.output);
  for (const TensorDesc& input : spec.inputs)
    bytes += input.dtype == DType::kHandle ? 0 : tensor_bytes(input);
  for (const WeightRef& weight : spec.weights) bytes += tensor_bytes(weight.desc);
  return bytes;
}

}  // namespace

NullBackend::NullBackend(NullOptions options) : options_(std::move(options)) {}

Plan NullBackend::plan(const NodeSpec& spec) const {
  Plan plan;
  for (const WeightRef& weight : spec.weights) {
    if (has_weight(spec.model, weight.name)) continue;
    plan.reason = fmt::format("weight {} is not registered", weight.name);
    return plan;
  }
  plan.supported = true;
  plan.kernel = fmt::format("null {}", op_name(*spec.op));
  if (is_product(*spec.op) && std::ranges::any_of(spec.weights, is_quantized))
    plan.input_type = options_.activation;
  plan.bytes_moved = bytes_of(spec);
  return plan;
}

void NullBackend::register_weight(ModelId model, std::string_view name, const TensorView&, WeightUses) {
  weights_.emplace(model, name);
}

bool NullBackend::has_weight(ModelId model, std::string_view name) const {
  return weights_.contains({model, std::string(name)});
}

void NullBackend::release_model(ModelId model) {
  std::erase_if(weights_, [model](const auto& weight) { return weight.first == model; });
}

void NullBackend::write(BufferId buffer, std::size_t offset, std::span<const std::byte> bytes) {
  buffers_.write(buffer, offset, bytes);
}

void NullBackend::read(BufferId buffer, std::size_t offset, std::span<std::byte> bytes) {
  buffers_.read(buffer, offset, bytes);
}

std::byte* NullBackend::host_view(BufferId buffer) {
  return options_.host_addressable ? buffers_.data(buffer) : nullptr;
}

}  // namespace minfer
