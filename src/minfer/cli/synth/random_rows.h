// Rows of random weights in any type that can be encoded, made directly as blocks: much faster than encoding floats,
// and with every code and many scales in use.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/dtype.h"

namespace minfer::cli {

// Counter-based: the numbers of one block, a function of (key, block) alone, so that any thread can make any block.
class BlockRandom {
 public:
  BlockRandom(std::uint64_t key, std::uint64_t block);
  std::uint64_t next();  // 64 random bits
  float unit();          // 0 <= x < 1, in steps of 2^-24

 private:
  std::uint64_t state_;
};

// SplitMix64's output function: a bijection whose outputs look random.
std::uint64_t mix_bits(std::uint64_t x);

// Rows first_row .. first_row + n_rows - 1 of a random tensor: values of mean 0 and standard deviation `deviation`,
// in consecutive blocks at out. Throws UnsupportedError for a type without an encoder. REQUIRES: n_cols is a multiple
// of the type's block.
void fill_random_rows(DType type, std::uint64_t key, float deviation, std::int64_t first_row,
                      std::int64_t n_rows, std::int64_t n_cols, std::byte* out);

}  // namespace minfer::cli
