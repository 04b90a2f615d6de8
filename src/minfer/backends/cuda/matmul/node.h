// Nodes of matrix products as kernels are launched with them: what the candidates share.
#pragma once

#include <string>

#include "backends/cuda/kernel_table.h"
#include "backends/cuda/matmul/args.h"

namespace minfer::cuda {

MatmulArgs matmul_args(const Launch& launch);  // of MatMul, MatMulAdd and FusedQKV
FfnArgs ffn_args(const Launch& launch);        // of FusedFFN

// What quantized weights read: kQ8Row32; float weights: kF32.
DType activation_type(DType weight);
// The type of x that all weights of the node read, or nothing where they differ.
bool common_activation(const PlanContext& context, DType& type);

// Of products of operands that are both rounded to float16.
inline constexpr double kHalfRounding = 0x1p-11;

// flops, and input_type where it is to be `x_type`.
void plan_product(const PlanContext& context, DType x_type, Plan& plan);

}  // namespace minfer::cuda
