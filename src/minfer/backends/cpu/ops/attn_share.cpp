#include "backends/cpu/ops/attn_share.h"

#include <algorithm>

namespace minfer {
namespace {

// Queries that go through a block of keys together. Bringing in and rearranging the block is paid once for all of them;
// what is kept of each takes 2 KB.
constexpr int kTileQueries = 512;
// Up to so many tokens, keys and values are what takes the time: items of whole rows, split by segments.
constexpr std::int64_t kFewTokens = 4;
// Items for each worker, so that all end at about the same time.
constexpr std::int64_t kItemsPerWorker = 4;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

AttnCells cells_of(const PlanContext& context, const KvGeometry& kv) {
  if (kv.cell == DType::kF32) return kAttnF32;
  if (kv.cell == DType::kF16) return kAttnF16;
  return context.fused_q8_kv ? kAttnQ8_0 : kAttnQ8_0Decoded;
}

// Halves what an item has of the heads: KV heads first, then the heads that share one.
bool halve_heads(AttnShare& share) {
  int& heads = share.kv_heads_per_item > 1 ? share.kv_heads_per_item : share.group_per_item;
  if (heads == 1) return false;
  heads = (heads + 1) / 2;
  return true;
}

}  // namespace

std::int64_t AttnShare::n_items() const {
  const std::int64_t kv_parts = ceil_div(n_head_kv, kv_heads_per_item);
  return ceil_div(n_tokens, tile_tokens) * kv_parts * ceil_div(n_head / n_head_kv, group_per_item);
}

AttnItem AttnShare::item(std::int64_t index) const {
  const int group = n_head / n_head_kv;
  const std::int64_t group_parts = ceil_div(group, group_per_item);
  const std::int64_t kv_parts = ceil_div(n_head_kv, kv_heads_per_item);
  const int first_of_group = static_cast<int>(index % group_parts) * group_per_item;
  const int kv_head = static_cast<int>(index / group_parts % kv_parts) * kv_heads_per_item;
  const int n_kv_heads = std::min(kv_heads_per_item, n_head_kv - kv_head);
  const std::int64_t first_token = index / group_parts / kv_parts * tile_tokens;
  const int n = static_cast<int>(std::min<std::int64_t>(tile_tokens, n_tokens - first_token));
  return {first_token,
          n,
          kv_head * group + first_of_group,
          n_kv_heads * std::min(group_per_item, group - first_of_group),
          kv_head,
          n_kv_heads};
}

AttnShare AttnShare::for_segments(std::int64_t n_segments, int n_workers) const {
  AttnShare share = *this;
  while (n_segments * share.n_items() < kItemsPerWorker * n_workers && halve_heads(share)) {
  }
  return share;
}

std::size_t AttnShare::item_states_bytes() const {
  return static_cast<std::size_t>(tile_tokens * kv_heads_per_item * group_per_item) * state_bytes();
}

std::size_t AttnShare::states_bytes(int n_workers) const {
  if (n_split_segments) return static_cast<std::size_t>(n_split_segments * n_tokens * n_head) * state_bytes();
  // The states so far and those of the segment at hand.
  return 2 * static_cast<std::size_t>(n_workers) * item_states_bytes();
}

std::size_t AttnShare::scratch_bytes() const {
  return (attn_scratch_bytes(tile_tokens * kv_heads_per_item * group_per_item, head_dim) + 63) / 64 * 64;
}

std::size_t AttnShare::workspace_bytes(int n_workers) const {
  return states_bytes(n_workers) + static_cast<std::size_t>(n_workers) * scratch_bytes();
}

AttnShare share_attention(const PlanContext& context) {
  const auto& op = context.op<Attn>();
  const int group = op.n_head / op.kv.n_head_kv;
  AttnShare share{cells_of(context, op.kv), op.n_head, op.kv.n_head_kv, op.kv.head_dim,
                  context.input(0).shape.rows()};
  share.group_per_item = group;
  if (share.n_tokens <= kFewTokens) {
    share.tile_tokens = static_cast<int>(share.n_tokens);
    share.kv_heads_per_item = op.kv.n_head_kv;
    if (context.n_workers > 1)
      share.n_split_segments = ceil_div(context.input(4).shape.cols() * kAttnBlock, kAttnSegment);
    return share;
  }
  share.tile_tokens =
      static_cast<int>(std::min<std::int64_t>(std::max(kTileQueries / group, 1), share.n_tokens));
  while (share.n_items() < kItemsPerWorker * context.n_workers && share.tile_tokens * group > 32)
    share.tile_tokens = (share.tile_tokens + 1) / 2;
  while (share.n_items() < context.n_workers && halve_heads(share)) {
  }
  return share;
}

}  // namespace minfer
