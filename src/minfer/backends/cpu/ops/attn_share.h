// How attention is cut into items that workers take one by one, decided when a node is planned. An item is a
// tile of consecutive tokens and some query heads of one KV head; where there are few of them and contexts
// may be long, an item is also only one segment of positions, and the segments' states are merged afterwards.
// None of this changes a result: a (token, head) always goes through the same blocks and segments in the same
// order.
#pragma once

#include "backends/cpu/kernel_table.h"

namespace minfer {

struct AttnItem {
  std::int64_t first_token = 0;
  int n_tokens = 0;
  int kv_head = 0;
  int first_head = 0;  // query heads first_head .. first_head + n_heads - 1
  int n_heads = 0;
};

struct AttnShare {
  AttnCells cells = kAttnF32;
  int n_head = 0;
  int n_head_kv = 0;
  int head_dim = 0;
  std::int64_t n_tokens = 0;
  int tile_tokens = 0;
  int heads_per_item = 0;
  std::int64_t n_split_segments =
      0;  // segments that states are kept for; 0: an item goes through all of them

  std::int64_t n_items() const;
  AttnItem item(std::int64_t index) const;  // REQUIRES: 0 <= index < n_items()

  // Workspace: states of the items, then each worker's scratch.
  std::size_t item_states_bytes() const;
  std::size_t states_bytes(int n_workers) const;
  std::size_t scratch_bytes() const;  // of a worker, a multiple of 64
  std::size_t workspace_bytes(int n_workers) const;
};

AttnShare share_attention(const PlanContext& context);

}  // namespace minfer
