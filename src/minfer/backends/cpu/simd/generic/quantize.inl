// Quantization of activations to int8, with the bits of quant/q8_group.h (which says what is computed and why
// a group with a value that is not finite gets the scale NaN).
#pragma once

#include "backends/cpu/simd/generic/lanes.inl"
#include "quant/activation_row.h"
#include "quant/q8_0.h"

namespace minfer {
namespace {

inline bool is_infinite(float x) { return __builtin_isinf(x) != 0; }

// The largest magnitude of N words; infinite where a value is infinite or NaN.
template <int N>
inline float largest_magnitude(const F32x16 (&x)[N]) {
  const F32x16 infinite = broadcast(__builtin_inff());
  F32x16 largest = zeros();
  for (int i = 0; i < N; ++i) {
    const F32x16 magnitude = abs(x[i]);
    largest = max(largest, select_less(magnitude, infinite, magnitude, infinite));
  }
  return reduce_max(largest);
}

template <int N>
inline void load_group(const float* source, F32x16 (&x)[N]) {
  for (int i = 0; i < N; ++i) x[i] = load(source + i * kLanes);
}

inline void zero_bytes(std::int8_t* q, std::size_t n) { std::memset(q, 0, n); }

// Quantizes 32 values. Returns the scale, not yet rounded to float16.
inline float quantize_group_32(const float* source, std::int8_t* q, std::int16_t* sum) {
  F32x16 x[2];
  load_group(source, x);
  const float largest = largest_magnitude(x);
  const float d = largest / 127.0f;
  const float inverse = d != 0.0f ? 1.0f / d : 0.0f;
  *sum = 0;
  if (is_infinite(largest) || is_infinite(inverse)) {
    zero_bytes(q, 32);
    return is_infinite(largest) ? __builtin_nanf("") : d;
  }
  std::int32_t total = 0;
  for (int i = 0; i < 2; ++i) {
    const I32x16 rounded = round_away(mul(x[i], broadcast(inverse)));
    store_i8(q + i * kLanes, rounded);
    total += reduce_add(rounded);
  }
  *sum = static_cast<std::int16_t>(total);
  return d;
}

// The first value whose magnitude is `largest`.
inline float first_of_magnitude(const float* source, const F32x16 (&x)[16], float largest) {
  for (int i = 0; i < 16; ++i) {
    const int lane = find_equal(abs(x[i]), broadcast(largest));
    if (lane < kLanes) return source[i * kLanes + lane];
  }
  return largest;
}

// Quantizes 256 values; 16 sums of 16 values each. Returns the scale.
inline float quantize_group_256(const float* source, std::int8_t* q, std::int16_t* sums) {
  F32x16 x[16];
  load_group(source, x);
  const float largest = largest_magnitude(x);
  const float inverse = -127.0f / first_of_magnitude(source, x, largest);
  if (is_infinite(largest) || is_infinite(inverse)) {
    zero_bytes(q, 256);
    for (int i = 0; i < 16; ++i) sums[i] = 0;
    return is_infinite(largest) ? __builtin_nanf("") : 0.0f;
  }
  for (int i = 0; i < 16; ++i) {
    const I32x16 rounded = round_even(mul(x[i], broadcast(inverse)));  // -127 .. 127
    store_i8(q + i * kLanes, rounded);
    sums[i] = static_cast<std::int16_t>(reduce_add(rounded));
  }
  return 1.0f / inverse;
}

inline float round_to_f16(float value) { return f16_to_f32(f32_to_f16(value)); }

inline void quantize_row_32(const float* x, void* row, std::int64_t n) {
  const auto k = static_cast<std::size_t>(n);
  auto* bytes = static_cast<std::byte*>(row);
  auto* q = reinterpret_cast<std::int8_t*>(bytes);
  auto* d = reinterpret_cast<float*>(bytes + activation_scales_offset(k));
  auto* sums = reinterpret_cast<std::int16_t*>(bytes + activation_sums_offset(k, 32));
  for (std::size_t g = 0; g < k / 32; ++g)
    d[g] = round_to_f16(quantize_group_32(x + g * 32, q + g * 32, sums + g));
}

inline void quantize_row_256(const float* x, void* row, std::int64_t n) {
  const auto k = static_cast<std::size_t>(n);
  auto* bytes = static_cast<std::byte*>(row);
  auto* q = reinterpret_cast<std::int8_t*>(bytes);
  auto* d = reinterpret_cast<float*>(bytes + activation_scales_offset(k));
  auto* sums = reinterpret_cast<std::int16_t*>(bytes + activation_sums_offset(k, 256));
  for (std::size_t g = 0; g < k / 256; ++g)
    d[g] = quantize_group_256(x + g * 256, q + g * 256, sums + g * 16);
}

inline void encode_q8_0(const float* x, void* blocks, std::int64_t n) {
  auto* block = static_cast<BlockQ8_0*>(blocks);
  for (std::int64_t i = 0; i < n; i += 32, ++block) {
    std::int16_t sum;
    block->d = f32_to_f16(quantize_group_32(x + i, block->qs, &sum));
  }
}

inline void encode_f16(const float* x, void* halves, std::int64_t n) {
  auto* target = static_cast<std::uint16_t*>(halves);
  for_words(n, [&](std::int64_t i, int count) { store_f16_n(target + i, load_n(x + i, count), count); });
}

}  // namespace
}  // namespace minfer
