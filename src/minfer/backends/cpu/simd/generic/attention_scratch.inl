// What attention keeps in AttnSegment::scratch while it goes through a segment.
#pragma once

#include "backends/cpu/simd/generic/attention_cells.inl"

namespace minfer {
namespace {

constexpr int kPanelKeys = kTileWords * kLanes;
static_assert(kTileQueries <= kAttnMaxTileQueries && kTileWords <= kAttnMaxTileWords &&
              kAttnBlock % kPanelKeys == 0);

// Queries are worked on in groups of kTileQueries; a last group that is not full has idle places, which have their
// rows here too. attn_scratch_bytes has room for all of it.
struct AttnScratch {
  int n_queries;          // of a KV head
  int n_places;           // n_queries rounded up to whole groups
  float* keys;            // kAttnBlock keys, transposed: (panels, lanes, words, keys of a panel)
  float* values;          // kAttnBlock rows of values, see value_offset
  float* queries;         // each group transposed: (groups, lanes, words, kTileQueries)
  float* weights;         // (n_places, kAttnBlock): scores of a block, then what exp makes of them
  float** states;         // (n_places)
  float* corrections;     // (n_places): what a state is scaled by before the block is added
  float* idle;            // a row of values for idle places
  float* q8_scales;       // (n_kv_heads, n_queries, head_dim / 32)
  std::int32_t* q8_sums;  // likewise, of the values of q8
  std::int32_t* n_keys;   // (n_places): how many keys of the block a query sees; 0 for idle places
  std::int8_t* q8;        // (n_kv_heads, n_queries, head_dim): the queries quantized

  explicit AttnScratch(const AttnSegment& s) {
    const std::ptrdiff_t n_all = std::ptrdiff_t{s.n_tokens} * s.n_kv_heads * s.n_group;
    const std::ptrdiff_t padded = std::ptrdiff_t{words_of(s.head_dim)} * kLanes;
    n_queries = s.n_tokens * s.n_group;
    n_places = (n_queries + kTileQueries - 1) / kTileQueries * kTileQueries;
    keys = reinterpret_cast<float*>(s.scratch);
    values = keys + kAttnBlock * padded;
    // A last panel may have less than kTileWords words.
    queries = values + kAttnBlock * (padded + kPanelKeys - kLanes);
    weights = queries + n_places * padded;
    states = reinterpret_cast<float**>(weights + std::ptrdiff_t{n_places} * kAttnBlock);
    corrections = reinterpret_cast<float*>(states + n_places);
    idle = corrections + n_places;
    q8_scales = idle + padded;
    q8_sums = reinterpret_cast<std::int32_t*>(q8_scales + n_all * (s.head_dim / 32));
    n_keys = q8_sums + n_all * (s.head_dim / 32);
    q8 = reinterpret_cast<std::int8_t*>(n_keys + n_places);
  }
};

}  // namespace
}  // namespace minfer
