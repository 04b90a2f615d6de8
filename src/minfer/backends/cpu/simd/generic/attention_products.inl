// The two matrix products of attention over a block of keys, for many queries at once: scores = queries . keys, with
// keys in the lanes, and out = out * correction + weights . values, with a head's values in the lanes. Sums are kept in
// registers, kTileWords vectors for each query of a group. The order of every sum is that of a single query's: a dot
// product has 16 partial sums, by index modulo 16, added in the tree of reduce_add.
#pragma once

#include "backends/cpu/simd/generic/attention_scratch.inl"

namespace minfer {
namespace {

// The order in which the 16 partial sums of a dot product are computed: reduce_add adds neighbours of this list, then
// neighbouring pairs, and so on.
constexpr int kPartialOrder[kLanes] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

// `n_rows` rows of a head, transposed 16 by 16: lane l of word w of row j comes to target[(l' * n_words + w) * stride +
// j] for the place l' of l in kPartialOrder. Rows beyond n_rows are zeros; n_places <= 16 of them are written.
template <typename LoadWord>
inline void transpose_rows(int n_rows, int n_places, int n_words, LoadWord load_word, float* target,
                           int stride) {
  for (int w = 0; w < n_words; ++w) {
    F32x16 rows[kLanes];
    for (int j = 0; j < kLanes; ++j) rows[j] = j < n_rows ? load_word(j, w) : zeros();
    transpose(rows);
    for (int l = 0; l < kLanes; ++l)
      store_n(target + std::ptrdiff_t{l * n_words + w} * stride, rows[kPartialOrder[l]], n_places);
  }
}

inline void transpose_queries(const HeadSegment& head, const AttnScratch& scratch) {
  const int head_dim = head.s.head_dim;
  const int n_words = words_of(head_dim);
  for (int first = 0; first < scratch.n_queries; first += kTileQueries) {
    const int n_left = scratch.n_queries - first;
    transpose_rows(
        n_left < kTileQueries ? n_left : kTileQueries, kTileQueries, n_words,
        [&](int j, int w) { return load_n(head.query(first + j) + w * kLanes, lanes_in_word(head_dim, w)); },
        scratch.queries + std::ptrdiff_t{first} * n_words * kLanes, kTileQueries);
  }
}

template <typename Cells>
inline void transpose_keys(const AttnSegment& s, const AttnScratch& scratch, const std::byte* rows,
                           int n_keys) {
  const int n_words = words_of(s.head_dim);
  for (int first = 0; first < n_keys; first += kLanes) {
    const std::ptrdiff_t panel = first / kPanelKeys * std::ptrdiff_t{kPanelKeys} * n_words * kLanes;
    transpose_rows(
        n_keys - first, kLanes, n_words,
        [&](int j, int w) {
          return Cells::load(rows + static_cast<std::size_t>(first + j) * s.row_bytes, w * kLanes,
                             lanes_in_word(s.head_dim, w));
        },
        scratch.keys + panel + first % kPanelKeys, kPanelKeys);
  }
}

// Where word w of key j's values is in AttnScratch::values: the words that are worked on together lie together.
inline std::ptrdiff_t value_offset(int j, int w) {
  return (std::ptrdiff_t{w / kTileWords} * kAttnBlock + j) * kPanelKeys + w % kTileWords * kLanes;
}

template <typename Cells>
inline void copy_values(const AttnSegment& s, const AttnScratch& scratch, const std::byte* rows, int n_keys) {
  const int n_words = words_of(s.head_dim);
  for (int j = 0; j < n_keys; ++j, rows += s.row_bytes)
    for (int w = 0; w < n_words; ++w)
      store(scratch.values + value_offset(j, w), Cells::load(rows, w * kLanes, lanes_in_word(s.head_dim, w)));
}

// A group of sums in registers, `words` vectors for each of `queries` queries.
template <int queries, int words>
struct Tile {
  F32x16 sums[queries][words];

  template <typename Function>  // function(query, word, sum)
  MINFER_INLINE void for_each(Function&& function) {
    unrolled<queries>([&](auto i) MINFER_INLINE_LAMBDA {
      unrolled<words>([&](auto w)
                          MINFER_INLINE_LAMBDA { function(i.value, w.value, sums[i.value][w.value]); });
    });
  }
  // sum += factor(query) * row[word] for all.
  template <typename Factor>
  MINFER_INLINE void add_product(const F32x16 (&row)[words], Factor&& factor) {
    unrolled<queries>([&](auto i) MINFER_INLINE_LAMBDA {
      const F32x16 x = broadcast(factor(i.value));
      unrolled<words>([&](auto w) MINFER_INLINE_LAMBDA {
        sums[i.value][w.value] = fma(x, row[w.value], sums[i.value][w.value]);
      });
    });
  }
};

// How many rows of the next block to fetch at each of n_passes over the groups of queries.
inline int rows_ahead(const AttnScratch& scratch, int n_passes) {
  const int n_steps = n_passes * (scratch.n_places / kTileQueries);
  return (kAttnBlock + n_steps - 1) / n_steps;
}

using ScoreTile = Tile<kTileQueries, kTileWords>;

// 2^level partial sums of a group's scores, in the order of kPartialOrder, added up as a tree; moves queries and keys
// forward. pending: a tile's floats for each level. A template, so that no branch is mispredicted on the way.
template <int level>
MINFER_INLINE void add_partial_sums(ScoreTile& tile, const float*& queries, const float*& keys, int n_words,
                                    float (*pending)[kTileQueries][kPanelKeys]) {
  if constexpr (level == 0) {
    tile.for_each([](int, int, F32x16& sum) MINFER_INLINE_LAMBDA { sum = zeros(); });
    for (int step = 0; step < n_words; ++step, queries += kTileQueries, keys += kPanelKeys) {
      F32x16 words[kTileWords];
      unrolled<kTileWords>([&](auto w)
                               MINFER_INLINE_LAMBDA { words[w.value] = load(keys + w.value * kLanes); });
      tile.add_product(words, [&](int i) MINFER_INLINE_LAMBDA { return queries[i]; });
    }
  } else {
    add_partial_sums<level - 1>(tile, queries, keys, n_words, pending);
    tile.for_each([&](int i, int w, F32x16& sum)
                      MINFER_INLINE_LAMBDA { store(pending[level - 1][i] + w * kLanes, sum); });
    add_partial_sums<level - 1>(tile, queries, keys, n_words, pending);
    tile.for_each([&](int i, int w, F32x16& sum)
                      MINFER_INLINE_LAMBDA { sum = add(load(pending[level - 1][i] + w * kLanes), sum); });
  }
}

// Scores of a group of queries against a panel of keys; target: a row of kAttnBlock for each query.
inline void multiply_panel(const float* queries, const float* keys, int n_words, float* target) {
  alignas(64) float pending[4][kTileQueries][kPanelKeys];
  ScoreTile tile;
  add_partial_sums<4>(tile, queries, keys, n_words, pending);
  tile.for_each([&](int i, int w, F32x16& sum)
                    MINFER_INLINE_LAMBDA { store(target + i * kAttnBlock + w * kLanes, sum); });
}

// out[i], `words` vectors from `first` on, scaled by the corrections, plus weights times the values of the first n_keys
// keys; value(j, w) gives word w of key j's values.
template <int queries, int words, typename Value>
inline void add_values(float* const (&out)[queries], const float* corrections, const float* weights,
                       int first, int n_keys, Value value) {
  Tile<queries, words> tile;
  tile.for_each([&](int i, int w, F32x16& sum) MINFER_INLINE_LAMBDA {
    sum = mul(load(out[i] + (first + w) * kLanes), broadcast(corrections[i]));
  });
  for (int j = 0; j < n_keys; ++j) {
    F32x16 row[words];
    unrolled<words>([&](auto w) MINFER_INLINE_LAMBDA { row[w.value] = value(j, first + w.value); });
    tile.add_product(row, [&](int i) MINFER_INLINE_LAMBDA { return weights[i * kAttnBlock + j]; });
  }
  tile.for_each([&](int i, int w, F32x16& sum)
                    MINFER_INLINE_LAMBDA { store(out[i] + (first + w) * kLanes, sum); });
}

// The keys [from, to) of a single query, where its neighbours see fewer.
template <int words, typename Value>
inline void add_more_values(float* out, const float* weights, int first, int from, int to, Value value) {
  float* const only[1] = {out};
  const float unscaled = 1.0f;
  add_values<1, words>(only, &unscaled, weights + from, first, to - from,
                       [&](int j, int w) { return value(from + j, w); });
}

}  // namespace
}  // namespace minfer
