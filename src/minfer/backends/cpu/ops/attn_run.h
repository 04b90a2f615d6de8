// Running attention over the items of a node whose inputs have been checked.
#pragma once

#include "backends/cpu/ops/attn_share.h"

namespace minfer {

struct AttnInputs {
  const float* q = nullptr;  // (n_tokens, n_head * head_dim)
  const std::int32_t* positions = nullptr;
  const std::int32_t* slots = nullptr;
  const std::int32_t* page_table = nullptr;  // (n_slots, max_pages)
  std::int64_t n_tokens = 0;
  std::int64_t n_slots = 0;
  std::int64_t max_pages = 0;

  explicit AttnInputs(const Launch& launch);
  const std::int32_t* pages(std::int64_t slot) const { return page_table + slot * max_pages; }
  std::int64_t last_position() const;  // of all tokens
};

void run_attention(const Launch& launch, const AttnInputs& in, const AttnShare& share);

}  // namespace minfer
