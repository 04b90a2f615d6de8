// The float16 products as candidates of their nodes. Weights are decoded to float16 (float32 ones to pairs of it) in
// the workspace, as many rows at a time as fit, and multiplied from there.
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

// Decoded weights that lie in the workspace at a time.
constexpr std::int64_t kMaxDecodedBytes = std::int64_t{288} << 20;
constexpr std::int64_t kMinDecodedBytes = std::int64_t{64} << 20;
constexpr std::int64_t kTileRows = 128;
constexpr std::int64_t kTileTokens = 256;
// What pairs of float16 leave out, and what sums of three times the columns add.
constexpr double kPairRounding = 0x1p-18;
// Up to here, reading float32 weights once for each 8 tokens costs less than writing and reading pairs.
constexpr std::int64_t kFewTokensOfFloats = 32;

using LaunchGemm = void (*)(const GemmF16Args& args, const DeviceLimits& limits, cudaStream_t stream);

void launch_mma(const GemmF16Args& args, const DeviceLimits& limits, cudaStream_t stream) {
  launch_gemm_f16_mma(args, limits.compute_capability >= 90, stream);
}

std::int64_t aligned(std::int64_t bytes) { return (bytes + 1023) / 1024 * 1024; }

bool in_pairs(const WeightMatrix& w) { return w.type == DType::kF32; }
// Of the float16 matrices that are multiplied.
std::int64_t columns(const WeightMatrix& w) { return in_pairs(w) ? kSplitParts * w.k : w.k; }

// In how many turns as many blocks as SMs make the tiles of n_rows rows, of which `at_once` are multiplied together.
std::int64_t waves(std::int64_t n_rows, std::int64_t at_once, std::int64_t n_tokens, int n_sms) {
  const std::int64_t token_tiles = (n_tokens + kTileTokens - 1) / kTileTokens;
  const int at_a_time = std::max(n_sms, 1);  // a plan without a GPU knows of none
  const auto of = [&](std::int64_t rows) {
    return ((rows + kTileRows - 1) / kTileRows * token_tiles + at_a_time - 1) / at_a_time;
  };
  const std::int64_t whole = n_rows / at_once, rest = n_rows % at_once;
  return whole * of(at_once) + (rest > 0 ? of(rest) : 0);
}

// How many rows of n_rows are decoded at a time: all, or as few as keep all SMs busy as well as all would.
std::int64_t rows_at_once(std::int64_t n_rows, std::int64_t n_columns, std::int64_t n_tokens, int n_sms) {
  const std::int64_t tile_bytes = kTileRows * 2 * n_columns;
  const std::int64_t most =
      std::min(n_rows, std::max<std::int64_t>(kMaxDecodedBytes / tile_bytes, 1) * kTileRows);
  const std::int64_t best = waves(n_rows, most, n_tokens, n_sms);
  for (std::int64_t rows = std::max<std::int64_t>(kMinDecodedBytes / tile_bytes, 1) * kTileRows; rows < most;
       rows += kTileRows)
    if (waves(n_rows, rows, n_tokens, n_sms) <= best) return rows;
  return most;
}

// The parts of the workspace: activations, their scales, decoded weights, their scales (of pairs), and (of FFN) float
// rows before they are quantized.
struct Workspace {
  Workspace(std::int64_t n_tokens, const WeightMatrix& w, std::int64_t n_rows, std::int64_t float_values,
            int n_sms)
      : rows(rows_at_once(n_rows, columns(w), n_tokens, n_sms)),
        scales(aligned(2 * n_tokens * columns(w))),
        weights(scales + aligned(4 * n_tokens)),
        row_scales(weights + aligned(2 * rows * columns(w))),
        floats(row_scales + (in_pairs(w) ? aligned(4 * rows) : 0)),
        bytes(static_cast<std::size_t>(floats + 4 * float_values)) {}

  std::int64_t rows;  // of weights decoded at a time: a multiple of 128, or all
  std::int64_t scales;
  std::int64_t weights;
  std::int64_t row_scales;
  std::int64_t floats;
  std::size_t bytes;
};

std::int64_t total_rows(std::span<const DeviceWeight> weights) {
  std::int64_t rows = 0;
  for (const DeviceWeight& w : weights) rows += w.matrix.n;
  return rows;
}

Workspace workspace_of(const PlanContext& context) {
  return {context.input(0).shape.rows(), context.weights[0].matrix, total_rows(context.weights), 0,
          context.limits.n_sms};
}

Workspace workspace_of_ffn(const TensorDesc& output, const WeightMatrix& gate, bool quantized, int n_sms) {
  return {output.shape.rows(), gate, 2 * output.shape.cols(), quantized ? output.shape.elements() : 0, n_sms};
}

std::string refuse_gemm(const PlanContext& context) {
  if (context.options.no_prefill_gemm) return "MINFER_NO_PREFILL_GEMM";
  for (const DeviceWeight& w : context.weights) {
    if (in_pairs(w.matrix) != in_pairs(context.weights[0].matrix)) return "float32 weights beside others";
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

bool gemm_pays(const PlanContext& context) {
  return !in_pairs(context.weights[0].matrix) || context.n_tokens() > kFewTokensOfFloats;
}

void plan_products(const PlanContext& context, Plan& plan) {
  plan_product(context, DType::kF32, plan);
  const bool pairs = in_pairs(context.weights[0].matrix);
  plan.rounding = pairs ? kPairRounding : kHalfRounding;
  if (pairs) plan.kernel += " pairs";
  if (gemm_f16_sm90_supported(context.limits)) prepare_gemm_f16_sm90();
}

void plan_gemm(const PlanContext& context, Plan& plan) {
  plan_products(context, plan);
  plan.workspace_bytes = workspace_of(context).bytes;
}

void plan_gemm_ffn(const PlanContext& context, Plan& plan) {
  plan_products(context, plan);
  const bool quantized = context.op<FusedFFN>().output != DType::kF32;
  plan.workspace_bytes =
      workspace_of_ffn(context.spec.output, context.weights[0].matrix, quantized, context.limits.n_sms).bytes;
}

struct Activations {
  const void* x;
  DType type;
  std::int64_t stride;  // bytes between rows
  std::int64_t n_tokens;
};

// Arguments of products with weights like w, with activations converted into the workspace.
GemmF16Args convert_activations(const Activations& a, const WeightMatrix& w, std::byte* workspace,
                                const Workspace& parts, bool overlap, cudaStream_t stream) {
  GemmF16Args gemm;
  gemm.x = workspace;
  auto* scales = reinterpret_cast<float*>(workspace + parts.scales);
  gemm.token_scale = scales;
  gemm.w = workspace + parts.weights;
  gemm.k = static_cast<int>(columns(w));
  gemm.n_tokens = static_cast<int>(a.n_tokens);
  if (in_pairs(w)) {
    gemm.row_scale = reinterpret_cast<const float*>(workspace + parts.row_scales);
    launch_split_f16({static_cast<const float*>(a.x), a.stride / 4, w.k, a.n_tokens, workspace, scales},
                     overlap, stream);
  } else {
    launch_activations_f16(a.x, a.type, a.stride, w.k, a.n_tokens, workspace, scales, overlap, stream);
  }
  return gemm;
}

// Rows of a weight as float16 to row `to` of the workspace on, or (in_turns) to the rows of gate (turn 0) and up.
void decode_rows(const DecodeF16Args& rows, std::int64_t to, std::byte* workspace, const Workspace& parts,
                 bool overlap, cudaStream_t stream) {
  const WeightMatrix& w = rows.weight;
  DecodeF16Args args = rows;
  args.out = workspace + parts.weights + 2 * to * columns(w);
  if (!in_pairs(w)) return launch_decode_f16(args, overlap, stream);
  SplitF16Args split;
  split.in = static_cast<const float*>(w.data) + args.first_row * w.k;
  split.stride = split.k = w.k;
  split.n_rows = args.n_rows;
  split.out = args.out;
  split.scale = reinterpret_cast<float*>(workspace + parts.row_scales) + to;
  split.weights = true;
  split.in_turns = args.in_turns;
  split.turn = args.turn;
  launch_split_f16(split, overlap, stream);
}

// The next rows of a node's weights, taken one after another.
struct NextRows {
  int weight = 0;
  std::int64_t row = 0;
};

// Decodes as many rows as fit and returns how many.
std::int64_t decode_next(const MatmulArgs& args, NextRows& next, std::byte* workspace, const Workspace& parts,
                         bool overlap, cudaStream_t stream) {
  std::int64_t filled = 0;
  while (next.weight < args.n_weights && filled < parts.rows) {
    const WeightMatrix& w = args.weights[next.weight];
    const std::int64_t rows = std::min(parts.rows - filled, w.n - next.row);
    decode_rows({w, next.row, rows}, filled, workspace, parts, overlap, stream);
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
  const bool overlap = launch.limits.compute_capability >= 90;
  const Workspace parts(args.n_tokens, args.weights[0], total_rows(launch.weights), 0, launch.limits.n_sms);
  GemmF16Args gemm = convert_activations({args.x, args.x_type, args.x_stride, args.n_tokens}, args.weights[0],
                                         launch.workspace, parts, overlap, launch.stream);
  gemm.out = args.out;
  gemm.out_stride = args.n_out;
  gemm.residual = args.residual;
  for (NextRows next; next.weight < args.n_weights;) {
    const std::int64_t rows = decode_next(args, next, launch.workspace, parts, overlap, launch.stream);
    gemm.n = static_cast<int>(rows);
    kLaunch(gemm, launch.limits, launch.stream);
    gemm.out += rows;
    if (gemm.residual) gemm.residual += rows;
  }
}

template <LaunchGemm kLaunch>
void launch_gemm_ffn(const Launch& launch) {
  const FfnArgs args = ffn_args(launch);
  const std::int64_t n = args.gate.n;
  const bool overlap = launch.limits.compute_capability >= 90, quantized = args.out_type != DType::kF32;
  const Workspace parts = workspace_of_ffn(launch.node.out, args.gate, quantized, launch.limits.n_sms);
  GemmF16Args gemm = convert_activations({args.x, args.x_type, args.x_stride, args.n_tokens}, args.gate,
                                         launch.workspace, parts, overlap, launch.stream);
  auto* floats =
      quantized ? reinterpret_cast<float*>(launch.workspace + parts.floats) : static_cast<float*>(args.out);
  gemm.out_stride = n;
  gemm.swiglu = true;
  for (std::int64_t first = 0; first < n; first += parts.rows / 2) {
    const std::int64_t rows = std::min(parts.rows / 2, n - first);
    decode_rows({args.gate, first, rows, nullptr, true, 0}, 0, launch.workspace, parts, overlap,
                launch.stream);
    decode_rows({args.up, first, rows, nullptr, true, 1}, 0, launch.workspace, parts, overlap, launch.stream);
    gemm.out = floats + first;
    gemm.n = static_cast<int>(2 * rows);
    kLaunch(gemm, launch.limits, launch.stream);
  }
  if (quantized) launch_quantize(floats, args.out, args.n_tokens, n, launch.can_overlap(), launch.stream);
}

}  // namespace

const Candidate kGemmSm90Matmul = {"matmul_gemm_sm90", refuse_sm90, plan_gemm,
                                   launch_gemm<launch_gemm_f16_sm90>, gemm_pays};
const Candidate kGemmSm90MatmulAdd = {"matmul_add_gemm_sm90", refuse_sm90, plan_gemm,
                                      launch_gemm<launch_gemm_f16_sm90>, gemm_pays};
const Candidate kGemmSm90Qkv = {"fused_qkv_gemm_sm90", refuse_sm90, plan_gemm,
                                launch_gemm<launch_gemm_f16_sm90>, gemm_pays};
const Candidate kGemmSm90Ffn = {"fused_ffn_gemm_sm90", refuse_sm90_ffn, plan_gemm_ffn,
                                launch_gemm_ffn<launch_gemm_f16_sm90>};
const Candidate kGemmMmaMatmul = {"matmul_gemm_mma", refuse_mma, plan_gemm, launch_gemm<launch_mma>,
                                  gemm_pays};
const Candidate kGemmMmaMatmulAdd = {"matmul_add_gemm_mma", refuse_mma, plan_gemm, launch_gemm<launch_mma>,
                                     gemm_pays};
const Candidate kGemmMmaQkv = {"fused_qkv_gemm_mma", refuse_mma, plan_gemm, launch_gemm<launch_mma>,
                               gemm_pays};
const Candidate kGemmMmaFfn = {"fused_ffn_gemm_mma", refuse_mma_ffn, plan_gemm_ffn,
                               launch_gemm_ffn<launch_mma>};

}  // namespace minfer::cuda
