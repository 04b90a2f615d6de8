// What an op sees of its surroundings when its result is inferred: descriptions only, no memory.
#pragma once

#include <span>

#include "tensor/view.h"

namespace minfer {

struct Operands {
  std::span<const TensorDesc> inputs;   // results of other nodes, in the op's order
  std::span<const TensorDesc> weights;  // tensors of the model, in the op's order
};

// Shape rules below throw InternalError when operands do not fit: model code checks a file's tensors against
// its hyperparameters before it builds a graph, so a misfit here is a bug of ours.
void check_operand_count(std::string_view op, const Operands& operands, std::size_t inputs,
                         std::size_t weights);
void check_shape(std::string_view op, std::string_view operand, const Shape& actual, const Shape& expected);
void check_dtype(std::string_view op, std::string_view operand, DType actual, DType expected);
bool is_activation_dtype(DType type);  // kF32, kQ8Row32 or kQ8Row256: what a matrix product can read

}  // namespace minfer
