#include "support/op_data.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "base/check.h"
#include "quant/activation_row.h"
#include "quant/traits.h"

namespace minfer::test {
namespace {

using Rng = std::mt19937_64;

// The codec of a type that has rows, activation rows included.
QuantTraits codec(DType type) {
  if (type == DType::kQ8Row32)
    return {type, [](const void* b, float* v, std::int64_t n) { decode_q8_row32(b, v, n); },
            [](const float* v, void* b, std::int64_t n) { encode_q8_row32(v, b, n); }, type};
  if (type == DType::kQ8Row256)
    return {type, [](const void* b, float* v, std::int64_t n) { decode_q8_row256(b, v, n); },
            [](const float* v, void* b, std::int64_t n) { encode_q8_row256(v, b, n); }, type};
  return quant_traits(type);
}

std::vector<float> random_floats(std::int64_t n, const Operand& operand, Rng& rng) {
  std::normal_distribution<float> normal(operand.offset, operand.scale);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& value : values) value = normal(rng);
  return values;
}

void random_block(const QuantTraits& traits, std::span<std::byte> block, Rng& rng) {
  std::vector<float> values(dtype_info(traits.type).block_values);
  const auto moderate = [](float v) { return std::isfinite(v) && std::abs(v) < 8; };
  do {
    for (std::byte& b : block) b = static_cast<std::byte>(rng());
    traits.decode(block.data(), values.data(), static_cast<std::int64_t>(values.size()));
  } while (!std::all_of(values.begin(), values.end(), moderate));
}

Bytes random_blocks(const TensorDesc& desc, Rng& rng) {
  Bytes bytes(tensor_bytes(desc));
  const std::size_t block = dtype_info(desc.dtype).block_bytes;
  for (std::size_t first = 0; first < bytes.size(); first += block)
    random_block(quant_traits(desc.dtype), std::span(bytes).subspan(first, block), rng);
  return bytes;
}

Bytes contents(const Operand& operand, Rng& rng) {
  const TensorDesc& desc = operand.desc;
  if (desc.dtype == DType::kHandle) return {};
  if (desc.dtype == DType::kI32) {
    MINFER_CHECK(static_cast<std::int64_t>(operand.ints.size()) == desc.shape.elements(), "{} values for {}",
                 operand.ints.size(), to_string(desc.shape));
    Bytes bytes(operand.ints.size() * sizeof(std::int32_t));
    std::memcpy(bytes.data(), operand.ints.data(), bytes.size());
    return bytes;
  }
  if (!codec(desc.dtype).encode) return random_blocks(desc, rng);
  return encode(desc, random_floats(desc.shape.elements(), operand, rng));
}

Bytes kv_region(const OpCase& c, Rng& rng) {
  const KvGeometry* geometry = kv_geometry(c.op);
  if (!geometry) return {};
  const std::size_t row = geometry->row_bytes();
  Bytes region(static_cast<std::size_t>(c.n_cells) * row, kPoison);
  for (const std::int32_t cell : c.written_cells) {
    const Bytes values = contents(tensor(geometry->cell, Shape{geometry->row_values()}), rng);
    std::copy(values.begin(), values.end(), region.begin() + cell * static_cast<std::ptrdiff_t>(row));
  }
  return region;
}

}  // namespace

OpData make_data(const OpCase& c, std::uint64_t seed) {
  Rng rng(seed);
  OpData data;
  for (const Operand& input : c.inputs) data.inputs.push_back(contents(input, rng));
  for (const Operand& weight : c.weights) data.weights.push_back(contents(weight, rng));
  data.keys = kv_region(c, rng);
  data.values = kv_region(c, rng);
  return data;
}

std::vector<float> decode(const TensorDesc& desc, std::span<const std::byte> bytes) {
  const std::int64_t n = desc.shape.cols();
  const std::size_t row = row_bytes(desc.dtype, n);
  std::vector<float> values(static_cast<std::size_t>(desc.shape.elements()));
  for (std::int64_t r = 0; r < desc.shape.rows(); ++r)
    codec(desc.dtype).decode(bytes.data() + static_cast<std::size_t>(r) * row, values.data() + r * n, n);
  return values;
}

Bytes encode(const TensorDesc& desc, std::span<const float> values) {
  const std::int64_t n = desc.shape.cols();
  const std::size_t row = row_bytes(desc.dtype, n);
  Bytes bytes(tensor_bytes(desc));
  for (std::int64_t r = 0; r < desc.shape.rows(); ++r)
    codec(desc.dtype).encode(values.data() + r * n, bytes.data() + static_cast<std::size_t>(r) * row, n);
  return bytes;
}

const KvGeometry* kv_geometry(const Op& op) {
  return std::visit(
      [](const auto& o) -> const KvGeometry* {
        if constexpr (requires { o.kv; }) return &o.kv;
        return nullptr;
      },
      op);
}

}  // namespace minfer::test
