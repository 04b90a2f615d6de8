#include "backends/cpu/ops/attn_share.h"

#include <algorithm>

namespace minfer {
namespace {

// Queries that go through a block of keys together: enough to use what is in the cache, few enough that their
// states stay there too.
constexpr int kTileQueries = 64;
constexpr int kMaxTileTokens = 16;
// Splitting by segments needs a state for each; worth it only for the few tokens of a decode step.
constexpr std::int64_t kMaxSplitTokens = 4;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

AttnCells cells_of(const PlanContext& context, const KvGeometry& kv) {
  if (kv.cell == DType::kF32) return kAttnF32;
  if (kv.cell == DType::kF16) return kAttnF16;
  return context.fused_q8_kv ? kAttnQ8_0 : kAttnQ8_0Decoded;
}

}  // namespace

std::int64_t AttnShare::n_items() const {
  const std::int64_t parts = ceil_div(n_head / n_head_kv, heads_per_item);
  return ceil_div(n_tokens, tile_tokens) * n_head_kv * parts;
}

AttnItem AttnShare::item(std::int64_t index) const {
  const int group = n_head / n_head_kv;
  const int parts = static_cast<int>(ceil_div(group, heads_per_item));
  const int part = static_cast<int>(index % parts);
  const int kv_head = static_cast<int>(index / parts % n_head_kv);
  const std::int64_t first_token = index / parts / n_head_kv * tile_tokens;
  const int n = static_cast<int>(std::min<std::int64_t>(tile_tokens, n_tokens - first_token));
  const int first_of_part = part * heads_per_item;
  return {first_token, n, kv_head, kv_head * group + first_of_part,
          std::min(heads_per_item, group - first_of_part)};
}

std::size_t AttnShare::item_states_bytes() const {
  return static_cast<std::size_t>(tile_tokens * heads_per_item) *
         static_cast<std::size_t>(attn_state_floats(head_dim)) * sizeof(float);
}

std::size_t AttnShare::states_bytes(int n_workers) const {
  // Without splitting, a worker has the states so far and those of the segment at hand.
  const std::int64_t blocks = n_split_segments ? n_split_segments * n_items() : 2 * std::int64_t{n_workers};
  return static_cast<std::size_t>(blocks) * item_states_bytes();
}

std::size_t AttnShare::scratch_bytes() const {
  return (attn_scratch_bytes(tile_tokens * heads_per_item, head_dim) + 63) / 64 * 64;
}

std::size_t AttnShare::workspace_bytes(int n_workers) const {
  return states_bytes(n_workers) + static_cast<std::size_t>(n_workers) * scratch_bytes();
}

AttnShare share_attention(const PlanContext& context) {
  const auto& op = context.op<Attn>();
  const int group = op.n_head / op.kv.n_head_kv;
  AttnShare share{cells_of(context, op.kv), op.n_head, op.kv.n_head_kv, op.kv.head_dim,
                  context.input(0).shape.rows()};
  share.tile_tokens = static_cast<int>(
      std::min<std::int64_t>(std::clamp(kTileQueries / group, 1, kMaxTileTokens), share.n_tokens));
  share.heads_per_item = group;
  while (share.n_items() < context.n_workers && share.heads_per_item > 1)
    share.heads_per_item = (share.heads_per_item + 1) / 2;
  const std::int64_t max_segments = ceil_div(context.input(4).shape.cols() * kAttnBlock, kAttnSegment);
  const bool few = share.n_tokens <= kMaxSplitTokens && share.n_items() < 4 * std::int64_t{context.n_workers};
  if (context.n_workers > 1 && few && max_segments > 1) share.n_split_segments = max_segments;
  return share;
}

}  // namespace minfer
