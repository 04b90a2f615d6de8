// Keys and values of a block of the KV cache, for the attention of attention.inl: scores of a query against
// the keys, and weighted sums of the values. One class for each way of storing and reading cells.
#pragma once

#include "backends/cpu/simd/generic/lanes.inl"
#include "backends/cpu/simd/generic/quantize.inl"
#include "backends/cpu/simd/kernels.h"

namespace minfer {
namespace {

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

// How AttnSegment::scratch is cut up; attn_scratch_bytes has room for all of it.
struct AttnScratch {
  float* k;            // (kAttnBlock, head_dim)
  float* v;            // likewise
  float* weights;      // (n_queries, kAttnBlock): scores of a block, then what exp makes of them
  float* corrections;  // (n_queries)
  float* q8_scales;    // (n_queries, head_dim / 32)
  std::int8_t* q8;     // (n_queries, head_dim)

  explicit AttnScratch(const AttnSegment& s) {
    const std::ptrdiff_t n_queries = std::ptrdiff_t{s.n_tokens} * s.n_group;
    k = reinterpret_cast<float*>(s.scratch);
    v = k + kAttnBlock * s.head_dim;
    weights = v + kAttnBlock * s.head_dim;
    corrections = weights + n_queries * kAttnBlock;
    q8_scales = corrections + n_queries;
    q8 = reinterpret_cast<std::int8_t*>(q8_scales + n_queries * (s.head_dim / 32));
  }
};

// Whether a block's rows are copied (or decoded) before use: so many queries read them that lying close
// together, away from the cache sets that rows of the whole model compete for, pays. The values and so the
// results are the same.
inline bool gathers_rows(const AttnSegment& s) { return s.n_tokens * s.n_group > 8; }

inline const BlockQ8_0* q8_row(const std::byte* rows, int j, std::size_t row_bytes) {
  return reinterpret_cast<const BlockQ8_0*>(rows + static_cast<std::size_t>(j) * row_bytes);
}

inline void copy_rows(const float* source, std::size_t stride, int n_rows, int n, float* target) {
  for (int j = 0; j < n_rows; ++j, source += stride, target += n)
    for_words(n, [&](std::int64_t i, int count) { store_n(target + i, load_n(source + i, count), count); });
}

inline void decode_q8_rows(const std::byte* rows, std::size_t row_bytes, int n_rows, int n, float* target) {
  for (int j = 0; j < n_rows; ++j, target += n) {
    const BlockQ8_0* blocks = q8_row(rows, j, row_bytes);
    for (int i = 0; i < n; i += kLanes) {
      const BlockQ8_0& block = blocks[i / 32];
      store(target + i, mul(broadcast(f16_to_f32(block.d)), load_i8(block.qs + i % 32)));
    }
  }
}

inline void decode_f16_rows(const std::byte* rows, std::size_t row_bytes, int n_rows, int n, float* target) {
  for (int j = 0; j < n_rows; ++j, rows += row_bytes, target += n) {
    const auto* halves = reinterpret_cast<const std::uint16_t*>(rows);
    for_words(n,
              [&](std::int64_t i, int count) { store_n(target + i, load_f16_n(halves + i, count), count); });
  }
}

// Cells of float32.
class FloatCells {
 public:
  FloatCells(const AttnSegment& segment, const AttnScratch& scratch) : s_(segment), scratch_(scratch) {}

  void enter_block(std::size_t offset, int n_keys) {
    rows_ = {reinterpret_cast<const float*>(s_.k + offset), reinterpret_cast<const float*>(s_.v + offset),
             s_.row_bytes / sizeof(float)};
    if (!gathers_rows(s_)) return;
    copy_rows(rows_.k, rows_.stride, n_keys, s_.head_dim, scratch_.k);
    copy_rows(rows_.v, rows_.stride, n_keys, s_.head_dim, scratch_.v);
    rows_ = {scratch_.k, scratch_.v, static_cast<std::size_t>(s_.head_dim)};
  }
  void scores(const float* q, int /*query*/, int n_keys, float* target) const {
    rows_.scores(q, s_.head_dim, n_keys, target);
  }
  void accumulate(float* out, float correction, const float* weights, int n_keys) const {
    rows_.accumulate(out, s_.head_dim, correction, weights, n_keys);
  }

 private:
  const AttnSegment& s_;
  const AttnScratch& scratch_;
  FloatRows rows_;
};

// Cells of another type, a block of them decoded to float32 at a time.
template <void decode_rows(const std::byte* rows, std::size_t row_bytes, int n_rows, int n, float* target)>
class DecodedCells {
 public:
  DecodedCells(const AttnSegment& segment, const AttnScratch& scratch) : s_(segment), scratch_(scratch) {}

  void enter_block(std::size_t offset, int n_keys) {
    decode_rows(s_.k + offset, s_.row_bytes, n_keys, s_.head_dim, scratch_.k);
    decode_rows(s_.v + offset, s_.row_bytes, n_keys, s_.head_dim, scratch_.v);
    rows_ = {scratch_.k, scratch_.v, static_cast<std::size_t>(s_.head_dim)};
  }
  void scores(const float* q, int /*query*/, int n_keys, float* target) const {
    rows_.scores(q, s_.head_dim, n_keys, target);
  }
  void accumulate(float* out, float correction, const float* weights, int n_keys) const {
    rows_.accumulate(out, s_.head_dim, correction, weights, n_keys);
  }

 private:
  const AttnSegment& s_;
  const AttnScratch& scratch_;
  FloatRows rows_;
};

// Packed q8_0 cells, read as they are: K as an integer dot with the query, which is quantized in the same
// way.
class Q8Cells {
 public:
  Q8Cells(const AttnSegment& segment, const AttnScratch& scratch) : s_(segment), scratch_(scratch) {
    for (int i = 0; i < s_.n_tokens * s_.n_group; ++i) quantize_query(i);
  }

  void enter_block(std::size_t offset, int n_keys) {
    k_ = s_.k + offset;
    v_ = s_.v + offset;
    if (gathers_rows(s_)) decode_q8_rows(v_, s_.row_bytes, n_keys, s_.head_dim, scratch_.v);
  }
  void scores(const float* /*q*/, int query, int n_keys, float* target) const {
    const std::int8_t* q = scratch_.q8 + std::ptrdiff_t{query} * s_.head_dim;
    const float* d = scratch_.q8_scales + std::ptrdiff_t{query} * (s_.head_dim / 32);
    for (int j = 0; j < n_keys; ++j) {
      const BlockQ8_0* key = q8_row(k_, j, s_.row_bytes);
      float sum = 0.0f;
      for (int b = 0; b < s_.head_dim / 32; ++b) {
        const float dot = static_cast<float>(dot_i8x32(key[b].qs, q + b * 32));
        sum = fma_scalar(f16_to_f32(key[b].d) * d[b], dot, sum);
      }
      target[j] = sum;
    }
  }
  void accumulate(float* out, float correction, const float* weights, int n_keys) const {
    if (gathers_rows(s_)) {
      const FloatRows rows{nullptr, scratch_.v, static_cast<std::size_t>(s_.head_dim)};
      rows.accumulate(out, s_.head_dim, correction, weights, n_keys);
      return;
    }
    for (int b = 0; b < s_.head_dim / 32; ++b)
      accumulate_words<2>(out + b * 32, correction, weights, n_keys, [&](int j, int w) {
        const BlockQ8_0& value = q8_row(v_, j, s_.row_bytes)[b];
        return mul(broadcast(f16_to_f32(value.d)), load_i8(value.qs + w * kLanes));
      });
  }

 private:
  void quantize_query(int i) {
    const float* q = s_.q + i / s_.n_group * s_.q_stride + i % s_.n_group * s_.head_dim;
    for (int b = 0; b < s_.head_dim / 32; ++b) {
      std::int16_t sum;
      const std::ptrdiff_t at = std::ptrdiff_t{i} * s_.head_dim + b * 32;
      scratch_.q8_scales[at / 32] = round_to_f16(quantize_group_32(q + b * 32, scratch_.q8 + at, &sum));
    }
  }

  const AttnSegment& s_;
  const AttnScratch& scratch_;
  const std::byte* k_ = nullptr;
  const std::byte* v_ = nullptr;
};

}  // namespace
}  // namespace minfer
