#include "backends/reference/call.h"

#include "base/check.h"
#include "quant/activation_row.h"
#include "quant/traits.h"

namespace minfer::reference {
namespace {

std::byte* tensor_data(const Node& node, const HostBuffers& memory, const BufferRef& ref,
                       const TensorDesc& desc) {
  MINFER_CHECK(ref.bytes >= tensor_bytes(desc), "{}: {} bytes for {} {}", node.label, ref.bytes,
               dtype_name(desc.dtype), to_string(desc.shape));
  return memory.data(ref);
}

void decode_row(DType type, const std::byte* row, std::span<float> values) {
  const auto n = static_cast<std::int64_t>(values.size());
  if (type == DType::kQ8Row32) return decode_q8_row32(row, values.data(), n);
  if (type == DType::kQ8Row256) return decode_q8_row256(row, values.data(), n);
  quant_traits(type).decode(row, values.data(), n);
}

void encode_row(DType type, std::span<const float> values, std::byte* row) {
  const auto n = static_cast<std::int64_t>(values.size());
  if (type == DType::kQ8Row32) return encode_q8_row32(values.data(), row, n);
  if (type == DType::kQ8Row256) return encode_q8_row256(values.data(), row, n);
  quant_traits(type).encode(values.data(), row, n);
}

std::vector<float> decoded_row(const TensorDesc& desc, const std::byte* data, std::int64_t row) {
  std::vector<float> values(static_cast<std::size_t>(desc.shape.cols()));
  decode_row(desc.dtype, data + static_cast<std::size_t>(row) * row_bytes(desc.dtype, desc.shape.cols()),
             values);
  return values;
}

std::string out_of_range(std::string_view label, std::string_view what, std::int64_t value,
                         std::int64_t limit) {
  return fmt::format("{}: {} {} is outside [0, {})", label, what, value, limit);
}

}  // namespace

Call::Call(const PlannedNode& node, const NodeBuffers& buffers, const HostBuffers& memory)
    : node_(*node.node),
      state_(*static_cast<const PlanState*>(node.plan.state.get())),
      memory_(memory),
      output_(tensor_data(node_, memory, buffers.output, node_.out)),
      kv_(buffers.kv) {
  MINFER_CHECK(buffers.inputs.size() == state_.inputs.size(), "{}: {} inputs, planned with {}", node_.label,
               buffers.inputs.size(), state_.inputs.size());
  for (std::size_t i = 0; i < state_.inputs.size(); ++i)
    inputs_.push_back(tensor_data(node_, memory, buffers.inputs[i], state_.inputs[i]));
}

const std::byte* Call::input_data(int input, DType type) const {
  MINFER_CHECK(state_.inputs[input].dtype == type, "{}: input {} has type {}, not {}", node_.label, input,
               dtype_name(state_.inputs[input].dtype), dtype_name(type));
  return inputs_[input];
}

Rows<const float> Call::floats(int input) const {
  return {reinterpret_cast<const float*>(input_data(input, DType::kF32)), state_.inputs[input].shape};
}

Rows<const std::int32_t> Call::ints(int input) const {
  return {reinterpret_cast<const std::int32_t*>(input_data(input, DType::kI32)), state_.inputs[input].shape};
}

Rows<float> Call::output() const {
  MINFER_CHECK(node_.out.dtype == DType::kF32, "{}: output of type {}", node_.label,
               dtype_name(node_.out.dtype));
  return {reinterpret_cast<float*>(output_), node_.out.shape};
}

std::vector<float> Call::activation_row(int input, std::int64_t row) const {
  return decoded_row(state_.inputs[input], inputs_[input], row);
}

std::vector<float> Call::weight_row(int weight, std::int64_t row) const {
  return decoded_row(state_.weights[weight].desc, state_.weights[weight].data, row);
}

void Call::store_row(std::int64_t row, std::span<const float> values) const {
  const std::size_t bytes = row_bytes(node_.out.dtype, node_.out.shape.cols());
  encode_row(node_.out.dtype, values, output_ + static_cast<std::size_t>(row) * bytes);
}

std::int64_t Call::checked_id(std::string_view what, std::int64_t value, std::int64_t limit) const {
  if (value < 0 || value >= limit) throw InvalidRequestError(out_of_range(label(), what, value, limit));
  return value;
}

std::int64_t Call::checked_index(std::string_view what, std::int64_t value, std::int64_t limit) const {
  if (value < 0 || value >= limit) throw InternalError(out_of_range(label(), what, value, limit));
  return value;
}

KvRows Call::kv_rows(const KvGeometry& geometry, BufferId region) const {
  const std::size_t bytes = static_cast<std::size_t>(kv_.n_cells) * geometry.row_bytes();
  MINFER_CHECK(memory_.bytes(region) >= bytes, "{}: KV region of {} bytes for {} cells of {}", node_.label,
               memory_.bytes(region), kv_.n_cells, geometry.row_bytes());
  return {geometry, memory_.data(region), kv_.n_cells};
}

}  // namespace minfer::reference
