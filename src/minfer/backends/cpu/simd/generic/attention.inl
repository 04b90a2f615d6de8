// Causal attention over one segment of positions. For a (token, query head), blocks of kAttnBlock keys in
// ascending order update the state (max, sum, out): with m = max(max, largest score of the block), everything
// so far is scaled by exp(max - m), and each key j of the block adds p = exp(score - m) to the sum and p *
// v[j] to out, keys ascending. A block's p are added in 16 lanes by j % 16. Segments are merged the same way,
// so it does not matter how many of them one worker computes. Keys that a token must not see are never read:
// unwritten cells may hold anything.
#pragma once

#include "backends/cpu/simd/generic/attention_cells.inl"
#include "backends/cpu/simd/generic/exp.inl"

namespace minfer {
namespace {

inline float exp_scalar(float x) { return first_lane(exp(broadcast(x))); }

// Takes the scores of a block into max and sum; leaves in `p` each key's weight. Returns what `out` is scaled
// by.
inline float update_state(float* state, float scale, int n_keys, float* p) {
  F32x16 largest = broadcast(-__builtin_inff());
  for_words(n_keys, [&](std::int64_t j, int count) {
    const F32x16 score = mul(load(p + j), broadcast(scale));
    store(p + j, score);
    largest = max(largest, load_n(p + j, count, -__builtin_inff()));
  });
  const float block_max = reduce_max(largest);
  const float new_max = state[0] > block_max ? state[0] : block_max;
  const float correction = exp_scalar(state[0] - new_max);
  F32x16 sums = zeros();
  for_words(n_keys, [&](std::int64_t j, int count) {
    const F32x16 score = load_n(p + j, count, -__builtin_inff());
    const F32x16 weight = exp(sub(score, broadcast(new_max)));  // 0 in lanes beyond the keys
    store(p + j, weight);
    sums = add(sums, weight);
  });
  state[0] = new_max;
  state[1] = fma_scalar(state[1], correction, reduce_add(sums));
  return correction;
}

inline void clear_state(float* state, int head_dim) {
  for (int i = 0; i < attn_state_floats(head_dim); ++i) state[i] = 0.0f;
  state[0] = -__builtin_inff();
}

// How many keys of the block at `first` a token at `position` sees.
inline int keys_in_block(std::int64_t position, std::int64_t first) {
  const std::int64_t n = position + 1 - first;
  return static_cast<int>(n < 0 ? 0 : n > kAttnBlock ? kAttnBlock : n);
}

inline std::int64_t last_position(const AttnSegment& s) {
  std::int64_t last = -1;
  for (int t = 0; t < s.n_tokens; ++t) last = s.positions[t] > last ? s.positions[t] : last;
  return last;
}

// Scores of all queries first, then their sums: a pass over K and one over V, each small enough for the
// cache.
template <typename Cells>
inline void attend_block(const AttnSegment& s, const AttnScratch& scratch, const Cells& cells,
                         std::int64_t first) {
  const std::ptrdiff_t state_size = attn_state_floats(s.head_dim);
  const int n_queries = s.n_tokens * s.n_group;
  const auto n_keys = [&](int query) { return keys_in_block(s.positions[query / s.n_group], first); };
  for (int i = 0; i < n_queries; ++i) {
    if (n_keys(i) == 0) continue;
    const float* q = s.q + i / s.n_group * s.q_stride + i % s.n_group * s.head_dim;
    float* weights = scratch.weights + i * kAttnBlock;
    cells.scores(q, i, n_keys(i), weights);
    scratch.corrections[i] = update_state(s.states + i * state_size, s.scale, n_keys(i), weights);
  }
  for (int i = 0; i < n_queries; ++i) {
    if (n_keys(i) == 0) continue;
    cells.accumulate(s.states + i * state_size + kAttnStateHeader, scratch.corrections[i],
                     scratch.weights + i * kAttnBlock, n_keys(i));
  }
}

inline void clear_states(const AttnSegment& s) {
  const std::ptrdiff_t size = std::ptrdiff_t{s.n_group} * attn_state_floats(s.head_dim);
  for (int t = 0; t < s.n_tokens; ++t) {
    if (s.positions[t] < s.first_position) continue;
    for (int h = 0; h < s.n_group; ++h)
      clear_state(s.states + t * size + h * attn_state_floats(s.head_dim), s.head_dim);
  }
}

template <typename Cells>
inline void attn_segment(const AttnSegment& s) {
  clear_states(s);
  const AttnScratch scratch(s);
  Cells cells(s, scratch);
  const std::int64_t last = last_position(s);
  for (int b = 0; b < kAttnSegment / kAttnBlock; ++b) {
    const std::int64_t first = s.first_position + b * kAttnBlock;
    if (last < first) return;
    const std::size_t first_cell = static_cast<std::size_t>(s.pages[b]) * kAttnBlock;
    cells.enter_block(first_cell * s.row_bytes, keys_in_block(last, first));
    attend_block(s, scratch, cells, first);
  }
}

inline void merge_state(float* state, const float* later, int head_dim) {
  const float new_max = state[0] > later[0] ? state[0] : later[0];
  const float keep = exp_scalar(state[0] - new_max);
  const float take = exp_scalar(later[0] - new_max);
  state[0] = new_max;
  state[1] = fma_scalar(state[1], keep, later[1] * take);
  for (int d = kAttnStateHeader; d < attn_state_floats(head_dim); d += kLanes) {
    const F32x16 taken = mul(load(later + d), broadcast(take));
    store(state + d, fma(load(state + d), broadcast(keep), taken));
  }
}

inline void attn_merge(float* states, const float* later, int n, int head_dim) {
  const std::ptrdiff_t state_size = attn_state_floats(head_dim);
  for (int i = 0; i < n; ++i) merge_state(states + i * state_size, later + i * state_size, head_dim);
}

inline void attn_finish(const float* states, float* out, int n, int head_dim) {
  for (int i = 0; i < n; ++i, states += attn_state_floats(head_dim), out += head_dim) {
    const F32x16 sum = broadcast(states[1]);
    for_words(head_dim, [&](std::int64_t d, int count) {
      store_n(out + d, div(load(states + kAttnStateHeader + d), sum), count);
    });
  }
}

}  // namespace
}  // namespace minfer
