// Decoding weights: 32 values of a row at a time, the same bits as the scalar decoders of quant/ where it is compiled
// without contraction. For gathered rows, and for products that need to run rather than to run fast.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "quant/iq4_nl.h"
#include "quant/iq4_xs.h"
#include "quant/k_scales.h"
#include "quant/q2_k.h"
#include "quant/q3_k.h"
#include "quant/q4_0.h"
#include "quant/q4_1.h"
#include "quant/q4_k.h"
#include "quant/q5_0.h"
#include "quant/q5_1.h"
#include "quant/q5_k.h"
#include "quant/q6_k.h"
#include "quant/q8_0.h"
#include "tensor/dtype.h"

namespace minfer::cuda {

__device__ inline float half_bits(std::uint16_t bits) { return __half2float(__ushort_as_half(bits)); }

// value(row, i) of float types; group(row, g, values) of quantized ones: values 32g .. 32g + 31 of the row.
template <DType kType>
struct Decoder;

template <>
struct Decoder<DType::kF32> {
  static __device__ float value(const void* row, std::int64_t i) { return static_cast<const float*>(row)[i]; }
};

template <>
struct Decoder<DType::kF16> {
  static __device__ float value(const void* row, std::int64_t i) {
    return half_bits(static_cast<const std::uint16_t*>(row)[i]);
  }
};

template <>
struct Decoder<DType::kBF16> {
  static __device__ float value(const void* row, std::int64_t i) {
    return __uint_as_float(std::uint32_t{static_cast<const std::uint16_t*>(row)[i]} << 16);
  }
};

// Code j of nibbles that hold j in the low half and j + 16 in the high one.
__device__ inline int nibble(const std::uint8_t* qs, int j) { return j < 16 ? qs[j] & 15 : qs[j - 16] >> 4; }

// qh: a bit of each code, little-endian.
__device__ inline int fifth_bit(const std::uint8_t* qh, int j) { return (qh[j / 8] >> (j % 8) & 1) << 4; }

template <>
struct Decoder<DType::kQ4_0> {
  static __device__ void group(const void* row, std::int64_t g, float* values) {
    const BlockQ4_0& block = static_cast<const BlockQ4_0*>(row)[g];
    const float d = half_bits(block.d);
#pragma unroll
    for (int j = 0; j < 32; ++j) values[j] = static_cast<float>(nibble(block.qs, j) - 8) * d;
  }
};

template <>
struct Decoder<DType::kQ4_1> {
  static __device__ void group(const void* row, std::int64_t g, float* values) {
    const BlockQ4_1& block = static_cast<const BlockQ4_1*>(row)[g];
    const float d = half_bits(block.d);
    const float m = half_bits(block.m);
#pragma unroll
    for (int j = 0; j < 32; ++j) values[j] = static_cast<float>(nibble(block.qs, j)) * d + m;
  }
};

template <>
struct Decoder<DType::kQ5_0> {
  static __device__ void group(const void* row, std::int64_t g, float* values) {
    const BlockQ5_0& block = static_cast<const BlockQ5_0*>(row)[g];
    const float d = half_bits(block.d);
#pragma unroll
    for (int j = 0; j < 32; ++j)
      values[j] = static_cast<float>((nibble(block.qs, j) | fifth_bit(block.qh, j)) - 16) * d;
  }
};

template <>
struct Decoder<DType::kQ5_1> {
  static __device__ void group(const void* row, std::int64_t g, float* values) {
    const BlockQ5_1& block = static_cast<const BlockQ5_1*>(row)[g];
    const float d = half_bits(block.d);
    const float m = half_bits(block.m);
#pragma unroll
    for (int j = 0; j < 32; ++j)
      values[j] = static_cast<float>(nibble(block.qs, j) | fifth_bit(block.qh, j)) * d + m;
  }
};

template <>
struct Decoder<DType::kQ8_0> {
  static __device__ void group(const void* row, std::int64_t g, float* values) {
    const BlockQ8_0& block = static_cast<const BlockQ8_0*>(row)[g];
    const float d = half_bits(block.d);
#pragma unroll
    for (int j = 0; j < 32; ++j) values[j] = static_cast<float>(block.qs[j]) * d;
  }
};

template <>
struct Decoder<DType::kIQ4_NL> {
  static __device__ int code(int q) {
    constexpr std::int8_t kValues[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                         1,    13,   25,  38,  53,  69,  89,  113};
    return kValues[q];
  }
  static __device__ void group(const void* row, std::int64_t g, float* values) {
    const BlockIQ4_NL& block = static_cast<const BlockIQ4_NL*>(row)[g];
    const float d = half_bits(block.d);
#pragma unroll
    for (int j = 0; j < 32; ++j) values[j] = d * static_cast<float>(code(nibble(block.qs, j)));
  }
};

template <>
struct Decoder<DType::kIQ4_XS> {
  static __device__ void group(const void* row, std::int64_t g, float* values) {
    const BlockIQ4_XS& block = static_cast<const BlockIQ4_XS*>(row)[g / 8];
    const int i = static_cast<int>(g % 8);
    const int low = (block.scales_l[i / 2] >> (4 * (i % 2))) & 15;
    const int high = (block.scales_h >> (2 * i)) & 3;
    const float scale = half_bits(block.d) * static_cast<float>((low | high << 4) - 32);
#pragma unroll
    for (int j = 0; j < 32; ++j)
      values[j] = scale * static_cast<float>(Decoder<DType::kIQ4_NL>::code(nibble(block.qs + 16 * i, j)));
  }
};

template <>
struct Decoder<DType::kQ2_K> {
  static __device__ void group(const void* row, std::int64_t g, float* values) {
    const BlockQ2_K& block = static_cast<const BlockQ2_K*>(row)[g / 8];
    const int i = static_cast<int>(g % 8);
    const float d = half_bits(block.d);
    const float dmin = half_bits(block.dmin);
    const std::uint8_t* qs = block.qs + i / 4 * 32;
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      const int packed = block.scales[2 * i + j / 16];
      const float scale = d * static_cast<float>(packed & 15);
      const float minimum = dmin * static_cast<float>(packed >> 4);
      values[j] = scale * static_cast<float>((qs[j] >> (2 * (i % 4))) & 3) - minimum;
    }
  }
};

template <>
struct Decoder<DType::kQ3_K> {
  static __device__ int scale_of(const BlockQ3_K& block, int i) {
    const int low = (block.scales[i % 8] >> (i / 8 * 4)) & 15;
    const int high = (block.scales[8 + i % 4] >> (i / 4 * 2)) & 3;
    return (low | high << 4) - 32;
  }
  static __device__ void group(const void* row, std::int64_t g, float* values) {
    const BlockQ3_K& block = static_cast<const BlockQ3_K*>(row)[g / 8];
    const int i = static_cast<int>(g % 8);
    const float d = half_bits(block.d);
    const std::uint8_t* qs = block.qs + i / 4 * 32;
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      const int low = (qs[j] >> (2 * (i % 4))) & 3;
      const int high = (block.hmask[j] >> i) & 1;
      values[j] =
          d * static_cast<float>(scale_of(block, 2 * i + j / 16)) * static_cast<float>((low | high << 2) - 4);
    }
  }
};

// Scale and minimum of group i: quant/k_scales.h.
__device__ inline void k_scale(const std::uint8_t* packed, int i, int& scale, int& minimum) {
  scale = i < 4 ? packed[i] & 63 : (packed[i + 4] & 15) | (packed[i - 4] >> 6) << 4;
  minimum = i < 4 ? packed[i + 4] & 63 : packed[i + 4] >> 4 | (packed[i] >> 6) << 4;
}

template <>
struct Decoder<DType::kQ4_K> {
  static __device__ void group(const void* row, std::int64_t g, float* values) {
    const BlockQ4_K& block = static_cast<const BlockQ4_K*>(row)[g / 8];
    const int i = static_cast<int>(g % 8);
    int scale = 0;
    int minimum = 0;
    k_scale(block.scales, i, scale, minimum);
    const float d = half_bits(block.d) * static_cast<float>(scale);
    const float m = half_bits(block.dmin) * static_cast<float>(minimum);
    const std::uint8_t* qs = block.qs + i / 2 * 32;
#pragma unroll
    for (int j = 0; j < 32; ++j) values[j] = d * static_cast<float>((qs[j] >> (4 * (i % 2))) & 15) - m;
  }
};

template <>
struct Decoder<DType::kQ5_K> {
  static __device__ void group(const void* row, std::int64_t g, float* values) {
    const BlockQ5_K& block = static_cast<const BlockQ5_K*>(row)[g / 8];
    const int i = static_cast<int>(g % 8);
    int scale = 0;
    int minimum = 0;
    k_scale(block.scales, i, scale, minimum);
    const float d = half_bits(block.d) * static_cast<float>(scale);
    const float m = half_bits(block.dmin) * static_cast<float>(minimum);
    const std::uint8_t* qs = block.qs + i / 2 * 32;
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      const int code = ((qs[j] >> (4 * (i % 2))) & 15) | ((block.qh[j] >> i) & 1) << 4;
      values[j] = d * static_cast<float>(code) - m;
    }
  }
};

template <>
struct Decoder<DType::kQ6_K> {
  static __device__ void group(const void* row, std::int64_t g, float* values) {
    const BlockQ6_K& block = static_cast<const BlockQ6_K*>(row)[g / 8];
    const int i = static_cast<int>(g % 8);
    const int h = i / 4;
    const int s = i % 4;
    const float d = half_bits(block.d);
    const std::uint8_t* ql = block.ql + 64 * h + 32 * (s % 2);
    const std::uint8_t* qh = block.qh + 32 * h;
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      const int code = ((ql[j] >> (s / 2 * 4)) & 15) | ((qh[j] >> (2 * s)) & 3) << 4;
      const float scale = d * static_cast<float>(block.scales[2 * i + j / 16]);
      values[j] = scale * static_cast<float>(code - 32);
    }
  }
};

}  // namespace minfer::cuda
