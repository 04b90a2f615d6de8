#include "ops/operands.h"

#include "base/check.h"

namespace minfer {

void check_operand_count(std::string_view op, const Operands& operands, std::size_t inputs,
                         std::size_t weights) {
  MINFER_CHECK(operands.inputs.size() == inputs && operands.weights.size() == weights,
               "{} takes {} inputs and {} weights, not {} and {}", op, inputs, weights,
               operands.inputs.size(), operands.weights.size());
}

void check_shape(std::string_view op, std::string_view operand, const Shape& actual, const Shape& expected) {
  MINFER_CHECK(actual.dim == expected.dim, "{}: {} has shape {}, not {}", op, operand, to_string(actual),
               to_string(expected));
}

void check_dtype(std::string_view op, std::string_view operand, DType actual, DType expected) {
  MINFER_CHECK(actual == expected, "{}: {} has type {}, not {}", op, operand, dtype_name(actual),
               dtype_name(expected));
}

bool is_activation_dtype(DType type) {
  return type == DType::kF32 || type == DType::kQ8Row32 || type == DType::kQ8Row256;
}

}  // namespace minfer
