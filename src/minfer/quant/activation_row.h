// A row of activations quantized to int8, as the integer dot products read it (types kQ8Row32 and kQ8Row256).
//
// The values are those of ggml's activation blocks (Q8_0: a float16 scale per 32 values; Q8_K: a float32
// scale per 256 values), but planar, so that kernels load them aligned and scales need no conversion. For K
// values in groups of G (32 or 256), sums over S values (32 or 16):
//   int8   q[K]        quantized values
//   float  d[K / G]    scale of a group (for G = 32 already rounded to float16, as in a Q8_0 block)
//   int16  s[K / S]    exact sum of q over S values
// Each plane starts at a multiple of 64 bytes from the row's start; padding bytes are unspecified and unread.
// How q and d follow from the values: quant/q8_group.h. A row takes row_bytes(type, K) bytes (tensor/dtype.h)
// and starts at an address that is a multiple of 4.
// Plain constants and offsets only: instruction-set-specific units include this header, so its functions are
// static and use nothing of the standard library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

static constexpr std::size_t activation_round_up(std::size_t n) { return (n + 63) / 64 * 64; }
static constexpr std::size_t activation_scales_offset(std::size_t k) { return activation_round_up(k); }
static constexpr std::size_t activation_sums_offset(std::size_t k, std::size_t group) {
  return activation_scales_offset(k) + activation_round_up(k / group * 4);
}

// Scalar encoders, the oracle of every SIMD version (equal bit for bit, padding aside), and their inverses.
// REQUIRES: k is a multiple of 32 (of 256).
void encode_q8_row32(const float* values, void* row, std::int64_t k);
void decode_q8_row32(const void* row, float* values, std::int64_t k);
void encode_q8_row256(const float* values, void* row, std::int64_t k);
void decode_q8_row256(const void* row, float* values, std::int64_t k);

}  // namespace minfer
