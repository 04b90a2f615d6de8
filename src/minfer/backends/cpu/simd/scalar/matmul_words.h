// Words of the scalar integer matrix product (simd/generic/matmul_blocks.inl): one row a "lane".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/cpu/matmul/matmul_kernels.h"
#include "backends/cpu/simd/prefetch.h"
#include "backends/cpu/simd/scalar/words.h"
#include "quant/activation_row.h"

namespace minfer {
namespace {

constexpr int kRows = 1;
using Lanes = float;

inline Lanes zero_lanes() { return 0.0f; }
inline void store_lanes(Lanes value, float* out, int) { *out = value; }

#include "backends/cpu/simd/generic/matmul_blocks.inl"

template <class Block>
inline Block load_block(const BlockRows& rows) {
  Block block;
  std::memcpy(&block, rows.row[0], sizeof(Block));
  return block;
}

inline std::int32_t integer_dot(const std::int8_t* w, const std::int8_t* x, int n) {
  std::int32_t sum = 0;
  for (int i = 0; i < n; ++i) sum += std::int32_t{w[i]} * x[i];
  return sum;
}

// Two codes of 4 bits a byte: the low nibbles are values 0 .. n - 1, the high ones n .. 2n - 1.
inline void unpack_nibbles(const std::uint8_t* packed, int n, std::int8_t* codes) {
  for (int i = 0; i < n; ++i) {
    codes[i] = static_cast<std::int8_t>(packed[i] & 15);
    codes[i + n] = static_cast<std::int8_t>(packed[i] >> 4);
  }
}

// Bit i of the 32 little-endian bits at `bits` is the fifth bit of code i.
inline void add_fifth_bits(const std::uint8_t* bits, std::int8_t* codes) {
  for (int i = 0; i < 32; ++i)
    codes[i] = static_cast<std::int8_t>(codes[i] | ((bits[i / 8] >> (i % 8)) & 1) << 4);
}

}  // namespace
}  // namespace minfer
