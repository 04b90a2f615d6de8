#include "ops/fused_ffn.h"

#include <algorithm>
#include <cstring>

#include "backends/cpu/matmul/weight_product.h"
#include "backends/cpu/ops/row_output.h"
#include "backends/cpu/parallel.h"
#include "quant/activation_row.h"

namespace minfer {
namespace {

// A worker computes the gate and up values of a block of rows and a tile of tokens, then their SwiGLU. A block of rows
// is a whole number of groups of a quantized output; its weights stay in the second-level cache while tokens pass by.
// For many tokens a tile is large, since weights are unpacked for each, and the block as small as it can be.
constexpr std::int64_t kTokenTile = 32;
constexpr std::int64_t kRowBlock = 64;
constexpr std::int64_t kManyTokenTile = 512;
// Up to so many tokens all of a worker's rows are one block: weights are read once anyway, and best in long streams.
constexpr std::int64_t kFewTokens = 4;

struct Tiling {
  std::int64_t group;      // values under one scale of the output, or kRowGranule
  std::int64_t row_block;  // a multiple of group
  std::int64_t n_tokens;   // of a tile
};

Tiling tiling(DType output, std::int64_t n_tokens, std::int64_t n_rows, TokenCount tokens) {
  const std::int64_t group = output == DType::kF32 ? kRowGranule : output == DType::kQ8Row32 ? 32 : 256;
  if (tokens == TokenCount::kMany)
    return {group, std::max(group, kPanelRows), std::min(kManyTokenTile, n_tokens)};
  if (n_tokens <= kFewTokens) return {group, (n_rows + group - 1) / group * group, n_tokens};
  return {group, std::max(group, kRowBlock), std::min(kTokenTile, n_tokens)};
}

// A worker's piece of the workspace.
struct Scratch {
  float* gate;             // (n_tokens, row_block)
  float* up;               // likewise
  std::byte* quantized;    // an activation row of row_block values
  std::byte* for_product;  // product_scratch_bytes
};

std::size_t scratch_bytes(const Tiling& tiling, DType output, const WeightProducts& products) {
  const std::size_t quantized = output == DType::kF32 ? 0 : row_bytes(output, tiling.row_block);
  return 2 * sizeof(float) * static_cast<std::size_t>(tiling.n_tokens * tiling.row_block) + quantized +
         product_scratch_bytes(products);
}

Scratch scratch_at(std::byte* piece, const Tiling& tiling, DType output) {
  const std::int64_t n = tiling.n_tokens * tiling.row_block;
  auto* gate = reinterpret_cast<float*>(piece);
  auto* quantized = reinterpret_cast<std::byte*>(gate + 2 * n);
  return {gate, gate + n, quantized,
          quantized + (output == DType::kF32 ? 0 : row_bytes(output, tiling.row_block))};
}

// Copies an activation row of `count` values to the values from `first` on of a row of n values.
void place_groups(const std::byte* part, std::int64_t count, std::byte* row, std::int64_t first,
                  std::int64_t n, DType type) {
  const std::size_t group = type == DType::kQ8Row32 ? 32 : 256;
  const std::size_t sum_width = type == DType::kQ8Row32 ? 32 : 16;
  const auto k = static_cast<std::size_t>(n);
  const auto from = static_cast<std::size_t>(first);
  const auto values = static_cast<std::size_t>(count);
  std::memcpy(row + from, part, values);
  std::memcpy(row + activation_scales_offset(k) + from / group * 4, part + activation_scales_offset(values),
              values / group * 4);
  std::memcpy(row + activation_sums_offset(k, group) + from / sum_width * 2,
              part + activation_sums_offset(values, group), values / sum_width * 2);
}

// SwiGLU of rows [rows.begin, rows.end) for the tokens of a tile, written to their output rows.
void finish_tile(const Launch& launch, const Scratch& scratch, Range rows, std::int64_t first_token,
                 std::int64_t n_tokens, std::int64_t stride) {
  const DType output = launch.op<FusedFFN>().output;
  const std::int64_t n_out = launch.node.out.shape.cols();
  const std::int64_t count = rows.end - rows.begin;
  for (std::int64_t t = 0; t < n_tokens; ++t) {
    std::byte* row = launch.output + static_cast<std::size_t>(first_token + t) * row_bytes(output, n_out);
    float* gate = scratch.gate + t * stride;
    const float* up = scratch.up + t * stride;
    if (output == DType::kF32) {
      launch.kernels.swiglu_row(gate, up, reinterpret_cast<float*>(row) + rows.begin, count);
      continue;
    }
    launch.kernels.swiglu_row(gate, up, gate, count);
    quantize_row(launch.kernels, output, gate, scratch.quantized, count);
    place_groups(scratch.quantized, count, row, rows.begin, n_out, output);
  }
}

void run_block(const Launch& launch, const ActivationRows& x, const Tiling& tiles, const Scratch& scratch,
               Range rows) {
  const auto& products = *static_cast<const WeightProducts*>(launch.state);
  const auto stride = static_cast<std::size_t>(tiles.row_block);
  for (std::int64_t token = 0; token < x.n_tokens; token += tiles.n_tokens) {
    const std::int64_t n = std::min(tiles.n_tokens, x.n_tokens - token);
    const ActivationRows part{x.data + static_cast<std::size_t>(token) * x.stride, x.stride, n};
    multiply_rows(products[0], rows, part, scratch.gate, stride, scratch.for_product);
    multiply_rows(products[1], rows, part, scratch.up, stride, scratch.for_product);
    finish_tile(launch, scratch, rows, token, n, tiles.row_block);
  }
}

template <TokenCount kTokens>
std::string refuse_fused_ffn(const PlanContext& context) {
  const std::string reason = kTokens == TokenCount::kMany ? refuse_gemm(context) : refuse_products(context);
  return reason.empty() ? refuse_output(context.op<FusedFFN>().output, context.spec.output.shape.cols())
                        : reason;
}

template <TokenCount kTokens>
void plan_fused_ffn(const PlanContext& context, Plan& plan) {
  const DType output = context.op<FusedFFN>().output;
  const WeightProducts& products = plan_products("fused_ffn", context, kTokens, plan);
  const Tiling tiles = tiling(output, context.input(0).shape.rows(), products[0].n_rows, kTokens);
  plan.workspace_bytes = static_cast<std::size_t>(context.n_workers) * scratch_bytes(tiles, output, products);
}

template <TokenCount kTokens>
void launch_fused_ffn(const Launch& launch) {
  const auto& products = *static_cast<const WeightProducts*>(launch.state);
  const DType output = launch.op<FusedFFN>().output;
  const ActivationRows x = activation_rows(launch);
  const Tiling tiles = tiling(output, x.n_tokens, products[0].n_rows, kTokens);
  const std::size_t bytes = scratch_bytes(tiles, output, products);
  const std::int64_t cost = 2 * row_cost_bytes(products[0], x.n_tokens);
  const auto run_rows = [&](Range rows, int worker) {
    std::byte* piece = launch.workspace + static_cast<std::size_t>(worker) * bytes;
    const Scratch scratch = scratch_at(piece, tiles, output);
    for (std::int64_t row = rows.begin; row < rows.end; row += tiles.row_block)
      run_block(launch, x, tiles, scratch, {row, std::min(row + tiles.row_block, rows.end)});
  };
  if constexpr (kTokens == TokenCount::kMany) {
    parallel_blocks(launch, products[0].n_rows, tiles.row_block, cost, run_rows);
  } else {
    parallel_ranges(launch, products[0].n_rows, cost, tiles.group, run_rows);
  }
}

template <TokenCount kTokens>
constexpr Candidate candidate(std::string_view name, bool (*pays)(const PlanContext&)) {
  return {name, refuse_fused_ffn<kTokens>, plan_fused_ffn<kTokens>, launch_fused_ffn<kTokens>, pays};
}

constexpr Candidate kCandidates[] = {candidate<TokenCount::kMany>("gemm", gemm_pays),
                                     candidate<TokenCount::kAny>("fused_ffn", nullptr)};

}  // namespace

const OpKernels kFusedFFNKernels = {FusedFFN::kName, kCandidates};

}  // namespace minfer
