#include "support/op_case.h"

#include <fmt/core.h>

#include <utility>

namespace minfer::test {
namespace {

std::vector<TensorDesc> descs(const std::vector<Operand>& operands) {
  std::vector<TensorDesc> result;
  for (const Operand& operand : operands) result.push_back(operand.desc);
  return result;
}

template <std::size_t... I>
std::vector<OpCases> collect(std::index_sequence<I...>) {
  std::vector<OpCases> all;
  (all.push_back({std::string(std::variant_alternative_t<I, Op>::kName),
                  op_cases<std::variant_alternative_t<I, Op>>()}),
   ...);
  return all;
}

}  // namespace

Operand floats(const Shape& shape, float scale, float offset) {
  return {{DType::kF32, shape}, {}, scale, offset};
}

Operand ints(const Shape& shape, std::vector<std::int32_t> values) {
  return {{DType::kI32, shape}, std::move(values)};
}

Operand tensor(DType type, const Shape& shape, float scale) { return {{type, shape}, {}, scale, 0}; }

TensorDesc output_desc(const OpCase& c) {
  const auto inputs = descs(c.inputs);
  const auto weights = descs(c.weights);
  return infer(c.op, {inputs, weights});
}

std::string name_of(const OpCase& c) {
  std::string name = fmt::format("{} {}", op_name(c.op), c.variant);
  for (const Operand& input : c.inputs) name += fmt::format(" {}", to_string(input.desc.shape));
  for (const Operand& weight : c.weights) name += fmt::format(" . {}", to_string(weight.desc.shape));
  return c.note.empty() ? name : fmt::format("{} {}", name, c.note);
}

std::vector<OpCases> all_op_cases() { return collect(std::make_index_sequence<std::variant_size_v<Op>>()); }

}  // namespace minfer::test
