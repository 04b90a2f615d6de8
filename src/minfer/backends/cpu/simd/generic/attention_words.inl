// The words that only attention needs, in terms of a words.h: what they mean, and what runs on an instruction set that
// has no attention_words.h of its own (or on none). One that has includes it before this.
#pragma once

#ifndef MINFER_ATTENTION_WORDS
#define MINFER_ATTENTION_WORDS

namespace minfer {
namespace {

// How many sums a matrix product keeps in registers, kTileWords vectors for each of kTileQueries factors: as many as
// leave room for a vector and a factor of each. Results do not depend on them.
constexpr int kTileWords = 1;
constexpr int kTileQueries = 6;

// Row i takes lane i of every row.
inline void transpose(F32x16 (&rows)[kLanes]) {
  float lanes[kLanes][kLanes], turned[kLanes][kLanes];
  for (int i = 0; i < kLanes; ++i) store(lanes[i], rows[i]);
  for (int i = 0; i < kLanes; ++i)
    for (int j = 0; j < kLanes; ++j) std::memcpy(&turned[i][j], &lanes[j][i], sizeof(float));
  for (int i = 0; i < kLanes; ++i) rows[i] = load(turned[i]);
}

// Integer products of 16 rows of 32 int8, laid out in columns of 4 values: those of row j from value 4 * i on are the
// four bytes from (16 * i + j) * 4 on, kept in whatever form the instruction set multiplies best.
//
// Lanes 0-7 and lanes 8-15 from two places of 32 bytes, bit for bit: two blocks of a row, to be transposed as floats.
inline F32x16 load_two_blocks(const void* first, const void* second) {
  float lanes[kLanes];
  std::memcpy(lanes, first, 32);
  std::memcpy(lanes + 8, second, 32);
  return load(lanes);
}
// Column i, which starts at target, from row i of the transposed blocks.
inline void store_column(std::int8_t* target, F32x16 bits) {
  float lanes[kLanes];
  store(lanes, bits);
  std::memcpy(target, lanes, sizeof(lanes));
}
// Sum over 32 of each row's values times x, exact, as floats. x lies in [-127, 127]; sum_x is the sum of its 32 values.
inline F32x16 dot_columns(const std::int8_t* columns, const std::int8_t* x, std::int32_t /*sum_x*/) {
  float sums[kLanes];
  for (int j = 0; j < kLanes; ++j) {
    std::int32_t sum = 0;
    for (int i = 0; i < 32; ++i) sum += columns[(i / 4 * kLanes + j) * 4 + i % 4] * x[i];
    sums[j] = static_cast<float>(sum);
  }
  return load(sums);
}

}  // namespace
}  // namespace minfer

#endif
