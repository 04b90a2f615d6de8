#include "backends/cuda/matmul/node.h"

#include "ops/fused_ffn.h"

namespace minfer::cuda {

MatmulArgs matmul_args(const Launch& launch) {
  const TensorDesc& x = launch.input_descs[0];
  MatmulArgs args;
  args.n_weights = static_cast<int>(launch.weights.size());
  for (std::size_t i = 0; i < launch.weights.size(); ++i) args.weights[i] = launch.weights[i].matrix;
  args.x = launch.inputs[0];
  args.x_type = x.dtype;
  args.x_stride = static_cast<std::int64_t>(row_bytes(x.dtype, x.shape.cols()));
  args.out = launch.out<float>();
  args.n_out = launch.node.out.shape.cols();
  args.n_tokens = x.shape.rows();
  if (std::holds_alternative<MatMulAdd>(launch.node.op)) args.residual = launch.input<const float>(1);
  args.workspace = launch.workspace;
  return args;
}

FfnArgs ffn_args(const Launch& launch) {
  const TensorDesc& x = launch.input_descs[0];
  FfnArgs args;
  args.gate = launch.weights[0].matrix;
  args.up = launch.weights[1].matrix;
  args.x = launch.inputs[0];
  args.x_type = x.dtype;
  args.x_stride = static_cast<std::int64_t>(row_bytes(x.dtype, x.shape.cols()));
  args.out = launch.output;
  args.out_type = launch.op<FusedFFN>().output;
  args.out_stride = static_cast<std::int64_t>(row_bytes(args.out_type, launch.node.out.shape.cols()));
  args.n_tokens = x.shape.rows();
  args.workspace = launch.workspace;
  return args;
}

DType activation_type(DType weight) {
  const bool is_float = weight == DType::kF32 || weight == DType::kF16 || weight == DType::kBF16;
  return is_float ? DType::kF32 : DType::kQ8Row32;
}

bool common_activation(const PlanContext& context, DType& type) {
  type = activation_type(context.weights[0].desc.dtype);
  for (const DeviceWeight& weight : context.weights)
    if (activation_type(weight.desc.dtype) != type) return false;
  return true;
}

void plan_product(const PlanContext& context, DType x_type, Plan& plan) {
  std::int64_t macs = 0;
  for (const DeviceWeight& weight : context.weights) macs += weight.desc.shape.elements();
  plan.flops = static_cast<std::uint64_t>(2 * macs * context.input(0).shape.rows());
  plan.input_type = x_type;
}

}  // namespace minfer::cuda
