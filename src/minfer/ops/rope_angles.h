// The one definition of the rotary embedding's angles, which every host backend computes its RopeTable from, in
// double precision. The result is rounded to float once, at the end.
//
// Pair i of a head turns by position * f_i. Without scaling f_i = base^(-2i / n_dims) / divisor_i. kLinear divides all
// of them by `factor`. kYarn (arXiv 2309.00071, as llama.cpp computes it) keeps fast pairs and slows the others down:
//   turns(b)  = n_dims * ln(original_context / (2 pi b)) / (2 ln base)   the pair that turns b times in the context
//   low, high = max(0, floor(turns(beta_fast))), min(n_dims - 1, ceil(turns(beta_slow)))
//   keep_i    = 1 - clamp((i - low) / max(0.001, high - low), 0, 1)
//   f_i       = f_i * keep_i + f_i / factor * (1 - keep_i)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/rope_table.h"

namespace minfer {

// f_i of the n_dims / 2 pairs in radians per position. `divisors` is empty or has a positive value for each pair.
std::vector<double> rope_frequencies(const RopeTable& op, std::span<const float> divisors);

// Fills a row of the table, cosines then sines times op.attention_factor. A negative position turns backwards.
// REQUIRES: row.size() == 2 * frequencies.size().
void fill_rope_row(std::int32_t position, std::span<const double> frequencies, float attention_factor,
                   std::span<float> row);

// What YaRN multiplies cosines and sines by for a stretch by `factor`: 1 + 0.1 ln(factor), and 1 where factor <= 1.
// RopeTable::attention_factor is this times the file's rope.scaling.attn_factor (1 where absent).
float yarn_attention_factor(float factor);

}  // namespace minfer
