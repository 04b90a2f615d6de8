// Causal attention over one segment of positions. For a (token, query head), blocks of kAttnBlock keys in
// ascending order update the state (max, sum, out): with m = max(max, largest score of the block), everything
// so far is scaled by exp(max - m), and each key j of the block adds p = exp(score - m) to the sum and p *
// v[j] to out, keys ascending. A block's p are added in 16 lanes by j % 16. Segments are merged the same way,
// so it does not matter how many of them one worker computes. Keys that a token must not see are never read:
// unwritten cells may hold anything.
#pragma once

#include "backends/cpu/simd/generic/attention_scores.inl"
#include "backends/cpu/simd/generic/attention_values.inl"
#include "backends/cpu/simd/generic/exp.inl"

namespace minfer {
namespace {

inline float exp_scalar(float x) { return first_lane(exp_of_negative(broadcast(x))); }

// The scores of a block in registers, scaled; those of keys that are not seen are minus infinity.
struct BlockScores {
  static constexpr int kWords = kAttnBlock / kLanes;
  F32x16 words[kWords];

  BlockScores(float* scores, float scale, int n_keys) {
    const F32x16 factor = broadcast(scale);
    unrolled<kWords>(
        [&](auto w) MINFER_INLINE_LAMBDA { words[w.value] = mul(load(scores + w.value * kLanes), factor); });
    if (n_keys == kAttnBlock) return;
    unrolled<kWords>([&](auto w) MINFER_INLINE_LAMBDA {
      const int n = n_keys - w.value * kLanes;
      float* const lanes = scores + w.value * kLanes;
      store(lanes, words[w.value]);
      words[w.value] = load_partial(lanes, n < 0 ? 0 : n > kLanes ? kLanes : n, -__builtin_inff());
    });
  }
  float largest() const {
    F32x16 most = words[0];
    unrolled<kWords>([&](auto w) MINFER_INLINE_LAMBDA { most = max(most, words[w.value]); });
    return reduce_max(most);
  }
};

// Takes the scores of a block into max and sum; leaves in `p` each key's weight (0 for those that are not seen).
// Returns what `out` is scaled by.
inline float update_state(float* state, float scale, int n_keys, float* p) {
  const BlockScores scores(p, scale, n_keys);
  const float block_max = scores.largest();
  const float old_max = state[0];
  const float new_max = old_max > block_max ? old_max : block_max;
  const float correction = old_max == new_max ? 1.0f : exp_scalar(old_max - new_max);  // exp(0) is exactly 1
  const F32x16 top = broadcast(new_max);
  F32x16 sums = zeros();
  unrolled<BlockScores::kWords>([&](auto w) MINFER_INLINE_LAMBDA {
    const F32x16 weight = exp_of_negative(sub(scores.words[w.value], top));
    store(p + w.value * kLanes, weight);
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

inline std::int64_t last_position(const AttnSegment& s) {
  std::int64_t last = -1;
  for (int t = 0; t < s.n_tokens; ++t) last = s.positions[t] > last ? s.positions[t] : last;
  return last;
}

inline void clear_states(const AttnSegment& s) {
  const int n_heads = s.n_kv_heads * s.n_group;
  for (int t = 0; t < s.n_tokens; ++t) {
    if (s.positions[t] < s.first_position) continue;
    for (int h = 0; h < n_heads; ++h)
      clear_state(s.states + std::ptrdiff_t{t * n_heads + h} * attn_state_floats(s.head_dim), s.head_dim);
  }
}

inline void find_states(const HeadSegment& head, const AttnScratch& scratch) {
  for (int i = 0; i < scratch.n_queries; ++i) scratch.states[i] = head.state(i);
}

// How far each query sees into the block at `first`. Idle places see nothing.
inline void count_keys(const HeadSegment& head, const AttnScratch& scratch, std::int64_t first) {
  for (int i = 0; i < scratch.n_queries; ++i) scratch.n_keys[i] = keys_in_block(head.position(i), first);
}

// Places that add to no state: their rows hold numbers at least.
inline void clear_idle(const AttnSegment& s, const AttnScratch& scratch) {
  for (int i = scratch.n_queries; i < scratch.n_places; ++i) {
    scratch.n_keys[i] = 0;
    scratch.corrections[i] = 0.0f;
    for (int j = 0; j < kAttnBlock; ++j) scratch.weights[std::ptrdiff_t{i} * kAttnBlock + j] = 0.0f;
  }
  for (int i = 0; i < words_of(s.head_dim) * kLanes; ++i) scratch.idle[i] = 0.0f;
}

inline void update_states(const HeadSegment& head, const AttnScratch& scratch) {
  for (int i = 0; i < scratch.n_queries; ++i) {
    const int n_keys = scratch.n_keys[i];
    float* weights = scratch.weights + std::ptrdiff_t{i} * kAttnBlock;
    scratch.corrections[i] = n_keys ? update_state(scratch.states[i], head.s.scale, n_keys, weights) : 0.0f;
  }
}

template <typename Scores, typename Cells>
inline void attend_block(const HeadSegment& head, const AttnScratch& scratch, int b, std::int64_t last) {
  const AttnSegment& s = head.s;
  const HeadBlock block(head, b, last);
  const HeadBlock next(head, b + 1, last);
  RowsAhead keys_ahead(next.keys, s.row_bytes, Cells::bytes(s.head_dim), next.n_keys);
  RowsAhead values_ahead(next.values, s.row_bytes, Cells::bytes(s.head_dim), next.n_keys);
  const Scores scores(head, scratch);
  if (b == 0) scores.prepare();
  if (b == 0 || !head.has_many_queries()) find_states(head, scratch);
  count_keys(head, scratch, s.first_position + b * kAttnBlock);
  scores.multiply(block.keys, block.n_keys, keys_ahead);
  update_states(head, scratch);
  add_block_values<Cells>(head, scratch, block, values_ahead);
}

// Many queries go head by head: what was prepared of them is used for all blocks. Few go block by block, so that rows
// of the cache, which hold all heads, are read from end to end.
template <typename Scores, typename Cells>
inline void attn_segment(const AttnSegment& s) {
  clear_states(s);
  const AttnScratch scratch(s);
  clear_idle(s, scratch);
  const std::int64_t last = last_position(s);
  const int n_blocks = static_cast<int>((last - s.first_position) / kAttnBlock) + 1;
  const int n_seen = n_blocks < kAttnSegment / kAttnBlock ? n_blocks : kAttnSegment / kAttnBlock;
  if (last < s.first_position) return;
  if (HeadSegment{s, 0}.has_many_queries()) {
    for (int h = 0; h < s.n_kv_heads; ++h)
      for (int b = 0; b < n_seen; ++b) attend_block<Scores, Cells>({s, h}, scratch, b, last);
  } else {
    for (int b = 0; b < n_seen; ++b)
      for (int h = 0; h < s.n_kv_heads; ++h) attend_block<Scores, Cells>({s, h}, scratch, b, last);
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
