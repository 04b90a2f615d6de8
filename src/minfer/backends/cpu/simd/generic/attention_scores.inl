// Scores of the queries of a KV head against a block of keys: into AttnScratch::weights, one row for each query. Those
// of keys that a query does not see are computed or not, and not used.
#pragma once

#include "backends/cpu/simd/generic/attention_products.inl"

namespace minfer {
namespace {

// Scores as products of floats.
template <typename Cells>
class FloatScores {
 public:
  FloatScores(const HeadSegment& head, const AttnScratch& scratch)
      : head_(head), s_(head.s), scratch_(scratch) {}

  // Once a segment.
  void prepare() const {
    if (head_.has_many_queries()) transpose_queries(head_, scratch_);
  }

  // Of all queries against the block's n_keys keys, whether a query sees them or not.
  void multiply(const std::byte* rows, int n_keys, RowsAhead& ahead) const {
    if (!head_.has_many_queries()) return multiply_rows(rows, n_keys, ahead);
    transpose_keys<Cells>(s_, scratch_, rows, n_keys);
    const int n_words = words_of(s_.head_dim);
    const std::ptrdiff_t padded = std::ptrdiff_t{n_words} * kLanes;
    const int n_ahead = rows_ahead(scratch_, (n_keys + kPanelKeys - 1) / kPanelKeys);
    for (int key = 0; key < n_keys; key += kPanelKeys)
      for (int i = 0; i < scratch_.n_queries; i += kTileQueries) {
        ahead.fetch(n_ahead);
        if (sees(i, key))
          multiply_panel(scratch_.queries + i * padded, scratch_.keys + key * padded, n_words,
                         scratch_.weights + std::ptrdiff_t{i} * kAttnBlock + key);
      }
  }

 private:
  bool sees(int first_query, int key) const {
    for (int i = first_query; i < first_query + kTileQueries && i < scratch_.n_queries; ++i)
      if (scratch_.n_keys[i] > key) return true;
    return false;
  }

  // A few queries: keys where they lie, a head's values in the lanes.
  void multiply_rows(const std::byte* rows, int n_keys, RowsAhead& ahead) const {
    for (int i = 0; i < scratch_.n_queries; i += kTileWords) {
      int j = 0;
      for (; j + 4 <= n_keys; j += 4, ahead.fetch(4))
        multiply_4_rows(rows + static_cast<std::size_t>(j) * s_.row_bytes, i, j);
      for (; j < n_keys; ++j) multiply_row(rows + static_cast<std::size_t>(j) * s_.row_bytes, i, j);
    }
  }
  // Of kTileWords queries, or what is left of them: a query beyond the last is the last one again.
  const float* row_of(int i) const {
    return head_.query(i < scratch_.n_queries ? i : scratch_.n_queries - 1);
  }

  void multiply_4_rows(const std::byte* rows, int first_query, int key) const {
    const float* q[kTileWords];
    F32x16 sums[kTileWords][4];
    for (int i = 0; i < kTileWords; ++i) {
      q[i] = row_of(first_query + i);
      for (int j = 0; j < 4; ++j) sums[i][j] = zeros();
    }
    for_words(s_.head_dim, [&](std::int64_t d, int count) {
      F32x16 keys[4];
      for (int j = 0; j < 4; ++j)
        keys[j] = Cells::load(rows + static_cast<std::size_t>(j) * s_.row_bytes, static_cast<int>(d), count);
      for (int i = 0; i < kTileWords; ++i) {
        const F32x16 x = load_n(q[i] + d, count);
        for (int j = 0; j < 4; ++j) sums[i][j] = fma(x, keys[j], sums[i][j]);
      }
    });
    for (int i = 0; i < kTileWords; ++i)
      reduce_add_4(scratch_.weights + (first_query + i) * kAttnBlock + key, sums[i][0], sums[i][1],
                   sums[i][2], sums[i][3]);
  }

  void multiply_row(const std::byte* row, int first_query, int key) const {
    for (int i = 0; i < kTileWords; ++i) {
      const float* q = row_of(first_query + i);
      F32x16 sum = zeros();
      for_words(s_.head_dim, [&](std::int64_t d, int count) {
        sum = fma(load_n(q + d, count), Cells::load(row, static_cast<int>(d), count), sum);
      });
      scratch_.weights[(first_query + i) * kAttnBlock + key] = reduce_add(sum);
    }
  }

  const HeadSegment& head_;
  const AttnSegment& s_;
  const AttnScratch& scratch_;
};

// Scores as integer products of packed keys with the queries, which are quantized in the same way: of a block of 32
// values an exact sum, times the product of the scales, blocks ascending.
class IntegerScores {
 public:
  IntegerScores(const HeadSegment& head, const AttnScratch& scratch)
      : head_(head), scratch_(scratch), n_blocks_(head.s.head_dim / 32) {}

  void prepare() const {
    for (int i = 0; i < scratch_.n_queries; ++i)
      for (int b = 0; b < n_blocks_; ++b) {
        std::int16_t sum;
        const std::ptrdiff_t at = place(i) + b;
        scratch_.q8_scales[at] =
            round_to_f16(quantize_group_32(head_.query(i) + b * 32, scratch_.q8 + at * 32, &sum));
        scratch_.q8_sums[at] = sum;
      }
  }

  void multiply(const std::byte* rows, int n_keys, RowsAhead& ahead) const {
    for (int j = 0; j < n_keys; j += kLanes, ahead.fetch(kLanes)) {
      const int n = n_keys - j < kLanes ? n_keys - j : kLanes;
      put_in_columns(rows + static_cast<std::size_t>(j) * head_.s.row_bytes, n);
      for (int i = 0; i < scratch_.n_queries; ++i)
        store(scratch_.weights + std::ptrdiff_t{i} * kAttnBlock + j, multiply_columns(place(i)));
    }
  }

 private:
  // The place of a query's first block.
  std::ptrdiff_t place(int query) const {
    return (std::ptrdiff_t{head_.kv_head} * scratch_.n_queries + query) * n_blocks_;
  }
  // In place of transposed floats: of 16 keys, columns of each block (512 bytes), then the scales of each block.
  std::int8_t* columns(int block) const {
    return reinterpret_cast<std::int8_t*>(scratch_.keys) + block * 32 * kLanes;
  }
  float* scales(int block) const { return scratch_.keys + (n_blocks_ * 32 / 4 + block) * kLanes; }

  // n keys, two blocks of 32 values at a time; lanes beyond them get zeros.
  void put_in_columns(const std::byte* rows, int n) const {
    for (int b = 0; b < n_blocks_; b += 2) {
      const int second = b + 1 < n_blocks_ ? b + 1 : b;
      F32x16 both[kLanes];
      for (int j = 0; j < kLanes; ++j)
        both[j] = j < n ? load_two_blocks(block(rows, j, b)->qs, block(rows, j, second)->qs) : zeros();
      transpose(both);
      for (int i = 0; i < 8; ++i) {
        store_column(columns(b) + i * 64, both[i]);
        if (second > b) store_column(columns(second) + i * 64, both[8 + i]);
      }
    }
    for (int b = 0; b < n_blocks_; ++b) {
      std::uint16_t halves[kLanes] = {};
      for (int j = 0; j < n; ++j) halves[j] = block(rows, j, b)->d;
      store(scales(b), load_f16(halves));
    }
  }
  const BlockQ8_0* block(const std::byte* rows, int j, int b) const {
    return reinterpret_cast<const BlockQ8_0*>(rows + static_cast<std::size_t>(j) * head_.s.row_bytes) + b;
  }

  F32x16 multiply_columns(std::ptrdiff_t first_block) const {
    F32x16 sum = zeros();
    for (int b = 0; b < n_blocks_; ++b) {
      const std::ptrdiff_t at = first_block + b;
      const F32x16 scale = mul(load(scales(b)), broadcast(scratch_.q8_scales[at]));
      sum = fma(scale, dot_columns(columns(b), scratch_.q8 + at * 32, scratch_.q8_sums[at]), sum);
    }
    return sum;
  }

  const HeadSegment& head_;
  const AttnScratch& scratch_;
  const int n_blocks_;
};

}  // namespace
}  // namespace minfer
