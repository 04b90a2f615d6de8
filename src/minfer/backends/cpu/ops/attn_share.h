// How attention is cut into items that workers take one by one. An item is a tile of consecutive tokens and some query
// heads. Of a prompt's many tokens it is a large tile and the heads of one KV head, whose keys are then brought in
// once for all of them. Of the few tokens of a decode step it is all tokens and as many heads as leave each worker
// something to do, because whole rows of the cache stream better than parts of them; with several workers it is also
// only one segment of positions, and the segments' states are merged afterwards. None of this changes a result: a
// (token, head) always goes through the same blocks and segments in the same order.
#pragma once

#include "backends/cpu/kernel_table.h"

namespace minfer {

struct AttnItem {
  std::int64_t first_token = 0;
  int n_tokens = 0;
  int first_head = 0;  // query heads first_head .. first_head + n_heads - 1
  int n_heads = 0;
  int kv_head = 0;  // the first one's
  int n_kv_heads = 0;
};

struct AttnShare {
  AttnCells cells = kAttnF32;
  int n_head = 0;
  int n_head_kv = 0;
  int head_dim = 0;
  std::int64_t n_tokens = 0;
  int tile_tokens = 0;
  int kv_heads_per_item = 1;
  int group_per_item = 0;  // query heads of each of its KV heads
  std::int64_t n_split_segments =
      0;  // segments that states are kept for; 0: an item goes through all of them

  std::int64_t n_items() const;
  AttnItem item(std::int64_t index) const;  // REQUIRES: 0 <= index < n_items()
  // Where items are segments: the same with smaller items, if n_segments of them are too few for the workers.
  AttnShare for_segments(std::int64_t n_segments, int n_workers) const;

  // Workspace: states, then each worker's scratch. Of a token and head:
  std::size_t state_bytes() const {
    return static_cast<std::size_t>(attn_state_floats(head_dim)) * sizeof(float);
  }
  std::size_t item_states_bytes() const;  // of the largest item
  std::size_t states_bytes(int n_workers) const;
  std::size_t scratch_bytes() const;  // of a worker, a multiple of 64
  std::size_t workspace_bytes(int n_workers) const;
};

AttnShare share_attention(const PlanContext& context);

}  // namespace minfer
