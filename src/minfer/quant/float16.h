// Conversions between float32 and the 16-bit float formats, bit for bit what the F16C instructions of x86
// give: rounding to nearest, ties to even; subnormals exact; NaN stays NaN (quiet, upper payload bits kept).
//   float16  (IEEE 754 binary16): 1 sign, 5 exponent, 10 mantissa bits; largest finite value 65504
//   bfloat16: the upper half of a float32
// Functions are static: instruction-set-specific units include this header and must keep their own copies.
#pragma once

#include <cstdint>
#include <cstring>

namespace minfer {

static inline float bits_to_float(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

static inline std::uint32_t float_to_bits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static inline float fp16_to_fp32(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0) return bits_to_float(sign | float_to_bits(static_cast<float>(mantissa) * 0x1p-24f));
  if (exponent == 31) return bits_to_float(sign | (mantissa ? 0x7fc00000u : 0x7f800000u) | mantissa << 13);
  return bits_to_float(sign | (exponent + 112) << 23 | mantissa << 13);
}

static inline std::uint16_t fp32_to_fp16(float value) {
  const std::uint32_t bits = float_to_bits(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::uint32_t half;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  } else if (magnitude >= 0x477ff000u) {  // 65520, halfway from 65504 to 2^16
    half = 0x7c00u;
  } else if (magnitude >= 0x38800000u) {  // 2^-14, the smallest normal float16
    const std::uint32_t rebased = magnitude - (112u << 23);
    half = (rebased + 0xfffu + ((rebased >> 13) & 1u)) >> 13;
  } else {  // a unit in the last place of 0.5f is the smallest float16, so the sum is rounded as we need it
    half = float_to_bits(bits_to_float(magnitude) + 0.5f) - float_to_bits(0.5f);
  }
  return static_cast<std::uint16_t>(sign | half);
}

static inline float bf16_to_fp32(std::uint16_t half) { return bits_to_float(std::uint32_t{half} << 16); }

static inline std::uint16_t fp32_to_bf16(float value) {
  const std::uint32_t bits = float_to_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace minfer
