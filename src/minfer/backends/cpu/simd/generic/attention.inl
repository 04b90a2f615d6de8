// Causal attention over one segment of positions. For a (token, query head), blocks of kAttnBlock keys in
// ascending order update the state (max, sum, out): with m = max(max, largest score of the block), everything
// so far is scaled by exp(max - m), and each key j of the block adds p = exp(score - m) to the sum and p *
// v[j] to out, keys ascending. A block's p are added in 16 lanes by j % 16. Segments are merged the same way,
// so it does not matter how many of them one worker computes. Keys that a token must not see are never read:
// unwritten cells may hold anything.
#pragma once

#include "backends/cpu/simd/generic/exp.inl"
#include "backends/cpu/simd/generic/lanes.inl"
#include "backends/cpu/simd/generic/quantize.inl"
#include "backends/cpu/simd/kernels.h"

namespace minfer {
namespace {

// Scores of `n_keys` keys, n_keys <= kAttnBlock, against one query; and what exp leaves of them.
using BlockFloats = float[kAttnBlock];

inline float dot_row(const float* a, const float* b, int n) {
  F32x16 sums = zeros();
  for_words(n,
            [&](std::int64_t i, int count) { sums = fma(load_n(a + i, count), load_n(b + i, count), sums); });
  return reduce_add(sums);
}

inline void dot_4_rows(const float* q, const float* k, std::size_t stride, int n, float* target) {
  F32x16 sums[4] = {zeros(), zeros(), zeros(), zeros()};
  for_words(n, [&](std::int64_t i, int count) {
    const F32x16 x = load_n(q + i, count);
    for (int j = 0; j < 4; ++j)
      sums[j] = fma(x, load_n(k + static_cast<std::size_t>(j) * stride + i, count), sums[j]);
  });
  reduce_add_4(target, sums[0], sums[1], sums[2], sums[3]);
}

// Out, `n_words` words of it from `out`, scaled, plus p[j] * (values j of the cells).
template <int n_words, typename LoadValues>
inline void accumulate_words(float* out, float correction, const float* p, int n_keys,
                             LoadValues load_values) {
  F32x16 sums[n_words];
  for (int w = 0; w < n_words; ++w) sums[w] = mul(load(out + w * kLanes), broadcast(correction));
  for (int j = 0; j < n_keys; ++j) {
    const F32x16 weight = broadcast(p[j]);
    for (int w = 0; w < n_words; ++w) sums[w] = fma(weight, load_values(j, w), sums[w]);
  }
  for (int w = 0; w < n_words; ++w) store(out + w * kLanes, sums[w]);
}

// K and V as rows of floats, `stride` floats apart.
struct FloatRows {
  const float* k = nullptr;
  const float* v = nullptr;
  std::size_t stride = 0;

  void scores(const float* q, int head_dim, int n_keys, float* target) const {
    int j = 0;
    for (; j + 4 <= n_keys; j += 4)
      dot_4_rows(q, k + static_cast<std::size_t>(j) * stride, stride, head_dim, target + j);
    for (; j < n_keys; ++j) target[j] = dot_row(q, k + static_cast<std::size_t>(j) * stride, head_dim);
  }

  void accumulate(float* out, int head_dim, float correction, const float* p, int n_keys) const {
    const auto value = [&](int j, int d) { return v + static_cast<std::size_t>(j) * stride + d; };
    int d = 0;
    for (; d + 4 * kLanes <= head_dim; d += 4 * kLanes)
      accumulate_words<4>(out + d, correction, p, n_keys,
                          [&](int j, int w) { return load(value(j, d + w * kLanes)); });
    for (; d < head_dim; d += kLanes) {
      const int count = head_dim - d < kLanes ? head_dim - d : kLanes;
      accumulate_words<1>(out + d, correction, p, n_keys,
                          [&](int j, int) { return load_n(value(j, d), count); });
    }
  }
};

// The cells of a segment as float32.
class FloatCells {
 public:
  explicit FloatCells(const AttnSegment& segment) : segment_(segment) {}

  void enter_block(std::int64_t page) {
    const std::size_t offset = static_cast<std::size_t>(page) * kAttnBlock * segment_.row_bytes;
    rows_.k = reinterpret_cast<const float*>(segment_.k + offset);
    rows_.v = reinterpret_cast<const float*>(segment_.v + offset);
    rows_.stride = segment_.row_bytes / sizeof(float);
  }
  void scores(const float* q, int /*query*/, int n_keys, float* target) const {
    rows_.scores(q, segment_.head_dim, n_keys, target);
  }
  void accumulate(float* out, float correction, const float* p, int n_keys) const {
    rows_.accumulate(out, segment_.head_dim, correction, p, n_keys);
  }

 private:
  const AttnSegment& segment_;
  FloatRows rows_;
};

// Packed q8_0 cells, read as they are: K as an integer dot with the query, which is quantized in the same
// way.
class Q8Cells {
 public:
  explicit Q8Cells(const AttnSegment& segment) : segment_(segment) {
    const int n_queries = segment.n_tokens * segment.n_group;
    const std::size_t values =
        static_cast<std::size_t>(n_queries) * static_cast<std::size_t>(segment.head_dim);
    q_ = reinterpret_cast<std::int8_t*>(segment.scratch);
    d_ = reinterpret_cast<float*>(segment.scratch + values);
    for (int i = 0; i < n_queries; ++i) quantize_query(i);
  }

  void enter_block(std::int64_t page) {
    const std::size_t offset = static_cast<std::size_t>(page) * kAttnBlock * segment_.row_bytes;
    k_ = segment_.k + offset;
    v_ = segment_.v + offset;
  }
  void scores(const float* /*q*/, int query, int n_keys, float* target) const {
    const std::int8_t* q = q_ + static_cast<std::ptrdiff_t>(query) * segment_.head_dim;
    const float* d = d_ + static_cast<std::ptrdiff_t>(query) * (segment_.head_dim / 32);
    for (int j = 0; j < n_keys; ++j) {
      float sum = 0.0f;
      for (int b = 0; b < segment_.head_dim / 32; ++b) {
        const BlockQ8_0& key = block(k_, j, b);
        const float dot = static_cast<float>(dot_i8x32(key.qs, q + b * 32));
        sum = fma_scalar(f16_to_f32(key.d) * d[b], dot, sum);
      }
      target[j] = sum;
    }
  }
  void accumulate(float* out, float correction, const float* p, int n_keys) const {
    for (int b = 0; b < segment_.head_dim / 32; ++b)
      accumulate_words<2>(out + b * 32, correction, p, n_keys, [&](int j, int w) {
        const BlockQ8_0& value = block(v_, j, b);
        return mul(broadcast(f16_to_f32(value.d)), load_i8(value.qs + w * kLanes));
      });
  }

 private:
  const BlockQ8_0& block(const std::byte* rows, int j, int b) const {
    return reinterpret_cast<const BlockQ8_0*>(rows + static_cast<std::size_t>(j) * segment_.row_bytes)[b];
  }
  void quantize_query(int i) {
    const float* q =
        segment_.q + i / segment_.n_group * segment_.q_stride + i % segment_.n_group * segment_.head_dim;
    for (int b = 0; b < segment_.head_dim / 32; ++b) {
      std::int16_t sum;
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * segment_.head_dim + b * 32;
      d_[at / 32] = round_to_f16(quantize_group_32(q + b * 32, q_ + at, &sum));
    }
  }

  const AttnSegment& segment_;
  std::int8_t* q_;  // (n_queries, head_dim)
  float* d_;        // (n_queries, head_dim / 32)
  const std::byte* k_ = nullptr;
  const std::byte* v_ = nullptr;
};

// Packed q8_0 cells, a block of them decoded to float32 at a time.
class DecodedCells {
 public:
  explicit DecodedCells(const AttnSegment& segment) : segment_(segment) {
    float* scratch = reinterpret_cast<float*>(segment.scratch);
    k_ = scratch;
    v_ = scratch + kAttnBlock * segment.head_dim;
    rows_ = {k_, v_, static_cast<std::size_t>(segment.head_dim)};
  }

  void enter_block(std::int64_t page, int n_keys) {
    const std::size_t offset = static_cast<std::size_t>(page) * kAttnBlock * segment_.row_bytes;
    for (int j = 0; j < n_keys; ++j) {
      const std::size_t at = offset + static_cast<std::size_t>(j) * segment_.row_bytes;
      decode(segment_.k + at, k_ + j * segment_.head_dim);
      decode(segment_.v + at, v_ + j * segment_.head_dim);
    }
  }
  void scores(const float* q, int /*query*/, int n_keys, float* target) const {
    rows_.scores(q, segment_.head_dim, n_keys, target);
  }
  void accumulate(float* out, float correction, const float* p, int n_keys) const {
    rows_.accumulate(out, segment_.head_dim, correction, p, n_keys);
  }

 private:
  void decode(const std::byte* row, float* target) const {
    const auto* blocks = reinterpret_cast<const BlockQ8_0*>(row);
    for (int b = 0; b < segment_.head_dim / 32; ++b) {
      const F32x16 d = broadcast(f16_to_f32(blocks[b].d));
      for (int i = 0; i < 32; i += kLanes) store(target + b * 32 + i, mul(d, load_i8(blocks[b].qs + i)));
    }
  }

  const AttnSegment& segment_;
  float* k_;
  float* v_;
  FloatRows rows_;
};

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

template <typename Cells>
inline void attend_block(const AttnSegment& s, const Cells& cells, std::int64_t first) {
  const std::ptrdiff_t state_size = attn_state_floats(s.head_dim);
  alignas(64) BlockFloats p = {};
  for (int t = 0; t < s.n_tokens; ++t) {
    const int n_keys = keys_in_block(s.positions[t], first);
    for (int h = 0; h < s.n_group && n_keys > 0; ++h) {
      const int query = t * s.n_group + h;
      float* state = s.states + query * state_size;
      cells.scores(s.q + t * s.q_stride + h * s.head_dim, query, n_keys, p);
      const float correction = update_state(state, s.scale, n_keys, p);
      cells.accumulate(state + kAttnStateHeader, correction, p, n_keys);
    }
  }
}

template <typename Cells>
inline void attn_segment(const AttnSegment& s) {
  const std::ptrdiff_t state_size = attn_state_floats(s.head_dim);
  for (int t = 0; t < s.n_tokens; ++t) {
    if (s.positions[t] < s.first_position) continue;
    for (int h = 0; h < s.n_group; ++h) clear_state(s.states + (t * s.n_group + h) * state_size, s.head_dim);
  }
  Cells cells(s);
  const std::int64_t last = last_position(s);
  for (int b = 0; b < kAttnSegment / kAttnBlock; ++b) {
    const std::int64_t first = s.first_position + b * kAttnBlock;
    if (last < first) return;
    if constexpr (requires { cells.enter_block(s.pages[b], 0); }) {
      cells.enter_block(s.pages[b], keys_in_block(last, first));
    } else {
      cells.enter_block(s.pages[b]);
    }
    attend_block(s, cells, first);
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
