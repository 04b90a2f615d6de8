// out = out * correction + weights . values over a block, for the queries of a KV head.
#pragma once

#include "backends/cpu/simd/generic/attention_products.inl"

namespace minfer {
namespace {

// Some queries that follow each other, and how many keys all of them see.
template <int queries>
struct QueryGroup {
  float* out[queries];
  const float* corrections;
  const float* weights;
  const std::int32_t* n_keys;
  int n_common = kAttnBlock;

  QueryGroup(const AttnScratch& scratch, int first)
      : corrections(scratch.corrections + first),
        weights(scratch.weights + std::ptrdiff_t{first} * kAttnBlock),
        n_keys(scratch.n_keys + first) {
    for (int i = 0; i < queries; ++i) {
      out[i] = n_keys[i] == 0 ? scratch.idle : scratch.states[first + i] + kAttnStateHeader;
      if (n_keys[i] != 0 && n_keys[i] < n_common) n_common = n_keys[i];
    }
  }

  template <int words, typename Value>
  void add(int first_word, Value value) const {
    add_values<queries, words>(out, corrections, weights, first_word, n_common, value);
    for (int i = 0; i < queries; ++i)
      if (n_keys[i] > n_common)
        add_more_values<words>(out[i], weights + i * kAttnBlock, first_word, n_common, n_keys[i], value);
  }
};

// Calls function(first word, Index<how many>()) for the words of a head: `words` at a time, then one by one.
template <int words, typename Function>
inline void for_head_words(int n_words, Function function) {
  int w = 0;
  for (; w + words <= n_words; w += words) function(w, Index<words>());
  for (; w < n_words; ++w) function(w, Index<1>());
}

// Apart from its caller, so that its sums have all registers.
template <int words>
__attribute__((noinline)) void add_copied_values(const QueryGroup<kTileQueries>& group, const float* values,
                                                 int first_word) {
  const float* const panel = values + value_offset(0, first_word);
  group.add<words>(first_word, [&](int j, int w) MINFER_INLINE_LAMBDA {
    return load(panel + std::ptrdiff_t{j} * kPanelKeys + (w - first_word) * kLanes);
  });
}

inline void add_to_many(const HeadSegment& head, const AttnScratch& scratch, RowsAhead& ahead) {
  const int n_words = words_of(head.s.head_dim);
  const int n_ahead = rows_ahead(scratch, (n_words + kTileWords - 1) / kTileWords);
  for_head_words<kTileWords>(n_words, [&](int w, auto words) {
    for (int i = 0; i < scratch.n_queries; i += kTileQueries) {
      ahead.fetch(n_ahead);
      add_copied_values<words.value>(QueryGroup<kTileQueries>(scratch, i), scratch.values, w);
    }
  });
}

// Values where they lie.
template <typename Cells>
inline void add_to_few(const HeadSegment& head, const AttnScratch& scratch, const std::byte* rows,
                       RowsAhead& ahead) {
  const int head_dim = head.s.head_dim;
  const auto value = [&](int j, int word) MINFER_INLINE_LAMBDA {
    return Cells::load(rows + static_cast<std::size_t>(j) * head.s.row_bytes, word * kLanes,
                       lanes_in_word(head_dim, word));
  };
  for (int i = 0; i < scratch.n_queries; i += kTileWords)
    for_head_words<4>(words_of(head_dim), [&](int w, auto words) {
      ahead.fetch(kAttnBlock / 2);
      QueryGroup<kTileWords>(scratch, i).template add<words.value>(w, value);
    });
}

template <typename Cells>
inline void add_block_values(const HeadSegment& head, const AttnScratch& scratch, const HeadBlock& block,
                             RowsAhead& ahead) {
  if (!head.has_many_queries()) return add_to_few<Cells>(head, scratch, block.values, ahead);
  copy_values<Cells>(head.s, scratch, block.values, block.n_keys);
  add_to_many(head, scratch, ahead);
}

}  // namespace
}  // namespace minfer
