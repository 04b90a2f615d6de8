// The float16 products as candidates of their nodes. Weights are decoded to float16 in the workspace, as many rows
// at a time as fit, and multiplied from there.
#include <algorithm>

#include <fmt/core.h>

#include "backends/cuda/matmul/candidates.h"
#include "backends/cuda/matmul/gemm_f16.h"
#include "backends/cuda/matmul/node.h"
#include "backends/cuda/ops/refuse.h"
#include "backends/cuda/ops/rows.h"
#include "ops/fused_ffn.h"

namespace minfer::cuda {
namespace {

constexpr std::int64_t kMaxDecodedBytes = std::int64_t{288} << 20;

using LaunchGemm = void (*)(const GemmF16Args& args, const DeviceLimits& limits, cudaStream_t stream);

void launch_mma(const GemmF16Args& args, const DeviceLimits& limits, cudaStream_t stream) {
  launch_gemm_f16_mma(args, limits.compute_capability >= 90, stream);
}

std::int64_t aligned(std::int64_t bytes) { return (bytes + 1023) / 1024 * 1024; }

// The parts of the workspace: activations, their scales, decoded weights, and (of FFN) float rows before they are
// quantized.
struct Workspace {
  Workspace(std::int64_t n_tokens, std::int64_t k, std::int64_t max_rows, std::int64_t float_values)
      : rows(std::min(max_rows, std::max<std::int64_t>(kMaxDecodedBytes / (2 * k) / 128, 1) * 128)),
        scales(aligned(2 * n_tokens * k)),
        weights(scales + aligned(4 * n_tokens)),
        floats(weights + aligned(2 * rows * k)),
        bytes(static_cast<std::size_t>(floats + 4 * float_values)) {}

  std::int64_t rows;  // of weights decoded at a time: a multiple of 128, or all
  std::int64_t scales;
  std::int64_t weights;
  std::int64_t floats;
  std::size_t bytes;
};

std::int64_t total_rows(std::span<const DeviceWeight> weights) {
  std::int64_t rows = 0;
  for (const DeviceWeight& w : weights) rows += w.matrix.n;
  return rows;
}

Workspace workspace_of(const PlanContext& context) {
  return {context.input(0).shape.rows(), context.weights[0].matrix.k, total_rows(context.weights), 0};
}

Workspace workspace_of_ffn(const TensorDesc& output, std::int64_t k, bool quantized) {
  return {output.shape.rows(), k, 2 * output.shape.cols(), quantized ? output.shape.elements() : 0};
}

std::string refuse_gemm(const PlanContext& context) {
  if (context.options.no_prefill_gemm) return "MINFER_NO_PREFILL_GEMM";
  for (const DeviceWeight& w : context.weights) {
    if (w.desc.dtype == DType::kF32) return "float16 keeps less than the weights have";
    if (!decode_f16_supported(w.desc.dtype, w.matrix.layout))
      return fmt::format("weights of type {}", dtype_name(w.desc.dtype));
    if (w.matrix.k % 32 != 0) return fmt::format("{} columns", w.matrix.k);
  }
  return {};
}

std::string refuse_sm90(const PlanContext& context) {
  return gemm_f16_sm90_supported(context.limits) ? refuse_gemm(context) : "needs compute capability 9.0";
}

std::string refuse_mma(const PlanContext& context) {
  return gemm_f16_mma_supported(context.limits) ? refuse_gemm(context) : "needs compute capability 8.0";
}

// Rows are taken in turns of 8 of gate and up.
std::string refuse_ffn(const PlanContext& context) {
  const std::int64_t n = context.spec.output.shape.cols();
  if (n % 8 != 0) return fmt::format("{} outputs", n);
  return refuse_output(context.op<FusedFFN>().output, n);
}

std::string refuse_sm90_ffn(const PlanContext& context) {
  const std::string reason = refuse_sm90(context);
  return reason.empty() ? refuse_ffn(context) : reason;
}

std::string refuse_mma_ffn(const PlanContext& context) {
  const std::string reason = refuse_mma(context);
  return reason.empty() ? refuse_ffn(context) : reason;
}

void plan_gemm(const PlanContext& context, Plan& plan) {
  plan_product(context, DType::kF32, plan);
  plan.rounding = kHalfRounding;
  plan.workspace_bytes = workspace_of(context).bytes;
  if (gemm_f16_sm90_supported(context.limits)) prepare_gemm_f16_sm90();
}

void plan_gemm_ffn(const PlanContext& context, Plan& plan) {
  plan_product(context, DType::kF32, plan);
  plan.rounding = kHalfRounding;
  const bool quantized = context.op<FusedFFN>().output != DType::kF32;
  plan.workspace_bytes = workspace_of_ffn(context.spec.output, context.weights[0].matrix.k, quantized).bytes;
  if (gemm_f16_sm90_supported(context.limits)) prepare_gemm_f16_sm90();
}

// Arguments with activations converted into the workspace.
GemmF16Args convert_activations(const void* x, DType type, std::int64_t stride, std::int64_t k,
                                std::int64_t n_tokens, std::byte* workspace, const Workspace& parts,
                                bool overlap, cudaStream_t stream) {
  GemmF16Args gemm;
  gemm.x = workspace;
  auto* scales = reinterpret_cast<float*>(workspace + parts.scales);
  gemm.token_scale = scales;
  gemm.w = workspace + parts.weights;
  gemm.k = static_cast<int>(k);
  gemm.n_tokens = static_cast<int>(n_tokens);
  launch_activations_f16(x, type, stride, k, n_tokens, workspace, scales, overlap, stream);
  return gemm;
}

// The next rows of a node's weights, taken one after another.
struct NextRows {
  int weight = 0;
  std::int64_t row = 0;
};

// Decodes up to max_rows rows to `target` and returns how many.
std::int64_t decode_next(const MatmulArgs& args, NextRows& next, std::int64_t max_rows, std::byte* target,
                         bool overlap, cudaStream_t stream) {
  std::int64_t filled = 0;
  while (next.weight < args.n_weights && filled < max_rows) {
    const WeightMatrix& w = args.weights[next.weight];
    const std::int64_t rows = std::min(max_rows - filled, w.n - next.row);
    launch_decode_f16({w, next.row, rows, target + 2 * filled * w.k, false, 0}, overlap, stream);
    filled += rows;
    next.row += rows;
    if (next.row == w.n) next = {next.weight + 1, 0};
  }
  return filled;
}

// Results lie in the order of the rows, so that several weights are multiplied at once.
template <LaunchGemm kLaunch>
void launch_gemm(const Launch& launch) {
  const MatmulArgs args = matmul_args(launch);
  const std::int64_t k = args.weights[0].k;
  const bool overlap = launch.limits.compute_capability >= 90;
  const Workspace parts(args.n_tokens, k, total_rows(launch.weights), 0);
  GemmF16Args gemm = convert_activations(args.x, args.x_type, args.x_stride, k, args.n_tokens,
                                         launch.workspace, parts, overlap, launch.stream);
  gemm.out = args.out;
  gemm.out_stride = args.n_out;
  gemm.residual = args.residual;
  for (NextRows next; next.weight < args.n_weights;) {
    const std::int64_t rows =
        decode_next(args, next, parts.rows, launch.workspace + parts.weights, overlap, launch.stream);
    gemm.n = static_cast<int>(rows);
    kLaunch(gemm, launch.limits, launch.stream);
    gemm.out += rows;
    if (gemm.residual) gemm.residual += rows;
  }
}

template <LaunchGemm kLaunch>
void launch_gemm_ffn(const Launch& launch) {
  const FfnArgs args = ffn_args(launch);
  const std::int64_t k = args.gate.k, n = args.gate.n;
  const bool overlap = launch.limits.compute_capability >= 90, quantized = args.out_type != DType::kF32;
  const Workspace parts = workspace_of_ffn(launch.node.out, k, quantized);
  GemmF16Args gemm = convert_activations(args.x, args.x_type, args.x_stride, k, args.n_tokens,
                                         launch.workspace, parts, overlap, launch.stream);
  auto* floats =
      quantized ? reinterpret_cast<float*>(launch.workspace + parts.floats) : static_cast<float*>(args.out);
  gemm.out_stride = n;
  gemm.swiglu = true;
  for (std::int64_t first = 0; first < n; first += parts.rows / 2) {
    const std::int64_t rows = std::min(parts.rows / 2, n - first);
    launch_decode_f16({args.gate, first, rows, launch.workspace + parts.weights, true, 0}, overlap,
                      launch.stream);
    launch_decode_f16({args.up, first, rows, launch.workspace + parts.weights, true, 1}, overlap,
                      launch.stream);
    gemm.out = floats + first;
    gemm.n = static_cast<int>(2 * rows);
    kLaunch(gemm, launch.limits, launch.stream);
  }
  if (quantized) launch_quantize(floats, args.out, args.n_tokens, n, launch.can_overlap(), launch.stream);
}

}  // namespace

const Candidate kGemmSm90Matmul = {"matmul_gemm_sm90", refuse_sm90, plan_gemm,
                                   launch_gemm<launch_gemm_f16_sm90>};
const Candidate kGemmSm90MatmulAdd = {"matmul_add_gemm_sm90", refuse_sm90, plan_gemm,
                                      launch_gemm<launch_gemm_f16_sm90>};
const Candidate kGemmSm90Qkv = {"fused_qkv_gemm_sm90", refuse_sm90, plan_gemm,
                                launch_gemm<launch_gemm_f16_sm90>};
const Candidate kGemmSm90Ffn = {"fused_ffn_gemm_sm90", refuse_sm90_ffn, plan_gemm_ffn,
                                launch_gemm_ffn<launch_gemm_f16_sm90>};
const Candidate kGemmMmaMatmul = {"matmul_gemm_mma", refuse_mma, plan_gemm, launch_gemm<launch_mma>};
const Candidate kGemmMmaMatmulAdd = {"matmul_add_gemm_mma", refuse_mma, plan_gemm, launch_gemm<launch_mma>};
const Candidate kGemmMmaQkv = {"fused_qkv_gemm_mma", refuse_mma, plan_gemm, launch_gemm<launch_mma>};
const Candidate kGemmMmaFfn = {"fused_ffn_gemm_mma", refuse_mma_ffn, plan_gemm_ffn,
                               launch_gemm_ffn<launch_mma>};

}  // namespace minfer::cuda
