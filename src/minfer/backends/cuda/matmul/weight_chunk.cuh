// How a lane reads 32 weights of a quantized matrix for an integer dot product, for each type and layout.
//
// A chunk is 32 weights in two runs of 16 consecutive k, as they share bytes in the formats (low and high nibbles).
// Types of 32 values have one chunk in a block, types of 256 have 8, chunk j in the hands of lane j of 8. Unpacked
// codes are bytes, possibly scaled by a power of two where that saves instructions (the scales make up for it), and
// signed where the format subtracts a constant: (code << s) ^ 0x80 as a signed byte is (code - middle) << s.
// Formats: quant/q4_0.h and its like. The layout kPlanar: weight_planes.h.
#pragma once

#include <cuda_fp16.h>

#include "backends/cuda/matmul/ptx.cuh"
#include "backends/cuda/matmul/weight_planes.h"

namespace minfer::cuda {

// 16, 8, 4 or 2 bytes at an address that is a multiple of kAlign.
template <int kAlign>
__device__ __forceinline__ std::uint32_t load_word(const std::uint8_t* p) {
  if constexpr (kAlign >= 4) return load_stream4(p);
  return load_stream2(p) | load_stream2(p + 2) << 16;
}

template <int kAlign>
__device__ __forceinline__ uint2 load_pair(const std::uint8_t* p) {
  if constexpr (kAlign >= 8) return load_stream8(p);
  return make_uint2(load_word<kAlign>(p), load_word<kAlign>(p + 4));
}

template <int kAlign>
__device__ __forceinline__ uint4 load_quad(const std::uint8_t* p) {
  if constexpr (kAlign >= 16) return load_stream16(p);
  const uint2 a = load_pair<kAlign>(p), b = load_pair<kAlign>(p + 8);
  return make_uint4(a.x, a.y, b.x, b.y);
}

__device__ __forceinline__ float half_bits(std::uint32_t bits) {
  return __half2float(__ushort_as_half(static_cast<std::uint16_t>(bits)));
}

// What a dot product needs of a chunk: codes of run 0 in w[0..3], of run 1 in w[4..7].
//   sum = first_scale * d_a0 * (w[0..3] . a0) + second_scale * d_a1 * (w[4..7] . a1) + minimum * d_am * sum_am
struct ChunkCodes {
  std::uint32_t w[8];
  float first_scale;
  float second_scale;  // where !kOneScale
  float minimum;       // where kHasMin
};

// Properties common to the types of 32 values; those of 256 override them.
struct ChunkOf32 {
  static constexpr int kLanes = 1;         // chunks of a block
  static constexpr bool kOneScale = true;  // one scale for both runs, and one scale of activations
  static constexpr int kSecondShift =
      0;  // run 1's codes are scaled by 2^this against run 0's (kOneScale only)
  static constexpr bool kHasMin = false;
  static constexpr bool kSigned = true;
  // Where run 0 of chunk j starts in the block, and how far on run 1. The minimum (kHasMin) is that of group j of
  // the block.
  static __device__ int first_run(int) { return 0; }
  static constexpr int kRunDistance = 16;
};

template <DType kType, WeightLayout kLayout>
struct WeightChunk;

template <WeightLayout kLayout>
struct WeightChunk<DType::kQ8_0, kLayout> : ChunkOf32 {
  using P = Planes<DType::kQ8_0>;
  static constexpr int kAlign = kLayout == WeightLayout::kPlanar ? 16 : 2;
  uint4 q0, q1;
  std::uint32_t d;
  __device__ void load(const std::uint8_t* base, std::size_t n_blocks, std::size_t block, int) {
    const std::uint8_t* q = plane_of<kLayout, P, 0>(base, n_blocks, block);
    q0 = load_quad<kAlign>(q);
    q1 = load_quad<kAlign>(q + 16);
    d = load_stream2(plane_of<kLayout, P, 1>(base, n_blocks, block));
  }
  __device__ ChunkCodes unpack(int) const {
    return {{q0.x, q0.y, q0.z, q0.w, q1.x, q1.y, q1.z, q1.w}, half_bits(d), 0, 0};
  }
};

template <WeightLayout kLayout>
struct WeightChunk<DType::kQ4_0, kLayout> : ChunkOf32 {
  using P = Planes<DType::kQ4_0>;
  static constexpr int kAlign = kLayout == WeightLayout::kPlanar ? 16 : 2;
  uint4 q;
  std::uint32_t d;
  __device__ void load(const std::uint8_t* base, std::size_t n_blocks, std::size_t block, int) {
    q = load_quad<kAlign>(plane_of<kLayout, P, 0>(base, n_blocks, block));
    d = load_stream2(plane_of<kLayout, P, 1>(base, n_blocks, block));
  }
  static __device__ std::uint32_t low(std::uint32_t v) { return (v << 4 & 0xf0f0f0f0u) ^ 0x80808080u; }
  static __device__ std::uint32_t high(std::uint32_t v) { return (v & 0xf0f0f0f0u) ^ 0x80808080u; }
  __device__ ChunkCodes unpack(int) const {
    return {{low(q.x), low(q.y), low(q.z), low(q.w), high(q.x), high(q.y), high(q.z), high(q.w)},
            half_bits(d) * 0.0625f,
            0,
            0};
  }
};

template <WeightLayout kLayout>
struct WeightChunk<DType::kQ4_1, kLayout> : ChunkOf32 {
  using P = Planes<DType::kQ4_1>;
  static constexpr int kAlign = kLayout == WeightLayout::kPlanar ? 16 : 4;
  static constexpr int kSecondShift = 4;
  static constexpr bool kHasMin = true;
  static constexpr bool kSigned = false;
  uint4 q;
  std::uint32_t dm;
  __device__ void load(const std::uint8_t* base, std::size_t n_blocks, std::size_t block, int) {
    q = load_quad<kAlign>(plane_of<kLayout, P, 0>(base, n_blocks, block));
    dm = load_stream4(plane_of<kLayout, P, 1>(base, n_blocks, block));
  }
  __device__ ChunkCodes unpack(int) const {
    return {{q.x & 0x0f0f0f0fu, q.y & 0x0f0f0f0fu, q.z & 0x0f0f0f0fu, q.w & 0x0f0f0f0fu, q.x & 0xf0f0f0f0u,
             q.y & 0xf0f0f0f0u, q.z & 0xf0f0f0f0u, q.w & 0xf0f0f0f0u},
            half_bits(dm),
            0,
            half_bits(dm >> 16)};
  }
};

template <WeightLayout kLayout>
struct WeightChunk<DType::kQ5_0, kLayout> : ChunkOf32 {
  using P = Planes<DType::kQ5_0>;
  static constexpr int kAlign = kLayout == WeightLayout::kPlanar ? 16 : 2;
  uint4 q;
  std::uint32_t h, d;
  __device__ void load(const std::uint8_t* base, std::size_t n_blocks, std::size_t block, int) {
    q = load_quad<kAlign>(plane_of<kLayout, P, 0>(base, n_blocks, block));
    h = load_word<kAlign>(plane_of<kLayout, P, 1>(base, n_blocks, block));
    d = load_stream2(plane_of<kLayout, P, 2>(base, n_blocks, block));
  }
  __device__ std::uint32_t low(std::uint32_t v, int i) const {
    return ((v << 3 & 0x78787878u) | spread_top(i)) ^ 0x80808080u;
  }
  __device__ std::uint32_t high(std::uint32_t v, int i) const {
    return ((v >> 1 & 0x78787878u) | spread_top(i + 4)) ^ 0x80808080u;
  }
  __device__ ChunkCodes unpack(int) const {
    return {{low(q.x, 0), low(q.y, 1), low(q.z, 2), low(q.w, 3), high(q.x, 0), high(q.y, 1), high(q.z, 2),
             high(q.w, 3)},
            half_bits(d) * 0.125f,
            0,
            0};
  }
  __device__ std::uint32_t spread_top(int i) const {  // to bit 7: copies 7 apart leave bit b at 8b + 7
    return (h >> (4 * i) & 15u) * 0x10204080u & 0x80808080u;
  }
};

template <WeightLayout kLayout>
struct WeightChunk<DType::kQ5_1, kLayout> : ChunkOf32 {
  using P = Planes<DType::kQ5_1>;
  static constexpr int kAlign = kLayout == WeightLayout::kPlanar ? 16 : 8;
  static constexpr bool kHasMin = true;
  static constexpr bool kSigned = false;
  uint4 q;
  std::uint32_t h, dm;
  __device__ void load(const std::uint8_t* base, std::size_t n_blocks, std::size_t block, int) {
    q = load_quad<kAlign>(plane_of<kLayout, P, 0>(base, n_blocks, block));
    dm = load_stream4(plane_of<kLayout, P, 1>(base, n_blocks, block));
    h = load_stream4(plane_of<kLayout, P, 2>(base, n_blocks, block));
  }
  __device__ std::uint32_t top(int i) const {  // to bit 4
    return (h >> (4 * i) & 15u) * 0x02040810u & 0x10101010u;
  }
  __device__ std::uint32_t low(std::uint32_t v, int i) const { return (v & 0x0f0f0f0fu) | top(i); }
  __device__ std::uint32_t high(std::uint32_t v, int i) const { return (v >> 4 & 0x0f0f0f0fu) | top(i + 4); }
  __device__ ChunkCodes unpack(int) const {
    return {{low(q.x, 0), low(q.y, 1), low(q.z, 2), low(q.w, 3), high(q.x, 0), high(q.y, 1), high(q.z, 2),
             high(q.w, 3)},
            half_bits(dm),
            0,
            half_bits(dm >> 16)};
  }
};

// Q4_K and Q5_K: lane j has the nibbles of bytes 16j .. 16j + 15, which lie in groups 2(j / 2) and 2(j / 2) + 1.
// Its half of the minimums is that of one of the two groups, whole.
struct ChunkOfK4 : ChunkOf32 {
  static constexpr int kLanes = 8;
  static constexpr bool kOneScale = false;
  static constexpr bool kHasMin = true;
  static constexpr bool kSigned = false;
  static __device__ int first_run(int j) { return 64 * (j >> 1) + 16 * (j & 1); }
  static constexpr int kRunDistance = 32;

  // header: the block's first 16 bytes (d, dmin, scales). Two scales and two minimums as bytes of a pair.
  static __device__ __forceinline__ void scales(const uint4& header, int j, std::uint32_t& scale_pair,
                                                std::uint32_t& min_pair) {
    const int shift = 16 * (j >> 1 & 1);
    const std::uint32_t y = header.y >> shift, z = header.z >> shift, w = header.w >> shift;
    const bool upper = j >= 4;
    scale_pair = upper ? (w & 0x0f0fu) | (y >> 2 & 0x3030u) : y & 0x3f3fu;
    min_pair = upper ? (w >> 4 & 0x0f0fu) | (z >> 2 & 0x3030u) : z & 0x3f3fu;
  }
};

// The scales in float; kHigh is 2^-s where run 1's codes are scaled by 2^s.
__device__ __forceinline__ void set_k4_scales(const uint4& header, int j, float high, ChunkCodes& c) {
  std::uint32_t scale_pair, min_pair;
  ChunkOfK4::scales(header, j, scale_pair, min_pair);
  const float d = half_bits(header.x), dmin = half_bits(header.x >> 16);
  c.first_scale = d * static_cast<float>(scale_pair & 0xffu);
  c.second_scale = d * high * static_cast<float>(scale_pair >> 8 & 0xffu);
  c.minimum = -dmin * static_cast<float>(j & 1 ? min_pair >> 8 & 0xffu : min_pair & 0xffu);
}

template <WeightLayout kLayout>
struct WeightChunk<DType::kQ4_K, kLayout> : ChunkOfK4 {
  uint4 q, header;
  __device__ void load(const std::uint8_t* base, std::size_t, std::size_t block, int j) {
    const std::uint8_t* b = base + block * 144;
    header = load_stream16(b);
    q = load_stream16(b + 16 + 16 * j);
  }
  __device__ ChunkCodes unpack(int j) const {
    ChunkCodes c{{q.x & 0x0f0f0f0fu, q.y & 0x0f0f0f0fu, q.z & 0x0f0f0f0fu, q.w & 0x0f0f0f0fu,
                  q.x & 0xf0f0f0f0u, q.y & 0xf0f0f0f0u, q.z & 0xf0f0f0f0u, q.w & 0xf0f0f0f0u},
                 0,
                 0,
                 0};
    set_k4_scales(header, j, 0.0625f, c);
    return c;
  }
};

template <WeightLayout kLayout>
struct WeightChunk<DType::kQ5_K, kLayout> : ChunkOfK4 {
  uint4 q, h, header;
  __device__ void load(const std::uint8_t* base, std::size_t, std::size_t block, int j) {
    const std::uint8_t* b = base + block * 176;
    header = load_stream16(b);
    h = load_stream16(b + 16 + 16 * (j & 1));
    q = load_stream16(b + 48 + 16 * j);
  }
  // Bit 2(j / 2) of h belongs to the low nibble, the next one to the high nibble.
  static __device__ std::uint32_t low(std::uint32_t v, std::uint32_t bits) {
    return (v & 0x0f0f0f0fu) | (bits << 4 & 0x10101010u);
  }
  static __device__ std::uint32_t high(std::uint32_t v, std::uint32_t bits) {
    return (v >> 4 & 0x0f0f0f0fu) | (bits << 3 & 0x10101010u);
  }
  __device__ ChunkCodes unpack(int j) const {
    const int s = j & 6;
    const uint4 b = make_uint4(h.x >> s, h.y >> s, h.z >> s, h.w >> s);
    ChunkCodes c{{low(q.x, b.x), low(q.y, b.y), low(q.z, b.z), low(q.w, b.w), high(q.x, b.x), high(q.y, b.y),
                  high(q.z, b.z), high(q.w, b.w)},
                 0,
                 0,
                 0};
    set_k4_scales(header, j, 1.0f, c);
    return c;
  }
};

// Q6_K: lane j has the low bits of bytes 16j .. 16j + 15: run 0 is sub-block 2(j / 2 % 2) + j % 2 of half j / 4,
// run 1 the one 64 values on. Each run has one 8-bit scale.
template <WeightLayout kLayout>
struct WeightChunk<DType::kQ6_K, kLayout> : ChunkOf32 {
  using P = Planes<DType::kQ6_K>;
  static constexpr int kAlign = kLayout == WeightLayout::kPlanar ? 16 : 2;
  static constexpr int kLanes = 8;
  static constexpr bool kOneScale = false;
  static __device__ int first_run(int j) { return 128 * (j >> 2) + 16 * (j & 3); }
  static constexpr int kRunDistance = 64;
  uint4 q, h;
  uint2 scales;
  std::uint32_t d;
  __device__ void load(const std::uint8_t* base, std::size_t n_blocks, std::size_t block, int j) {
    q = load_quad<kAlign>(plane_of<kLayout, P, 0>(base, n_blocks, block) + 16 * j);
    h = load_quad<kAlign>(plane_of<kLayout, P, 1>(base, n_blocks, block) + 32 * (j >> 2) + 16 * (j & 1));
    scales = load_pair<kAlign>(plane_of<kLayout, P, 2>(base, n_blocks, block) + 8 * (j >> 2));
    d = load_stream2(plane_of<kLayout, P, 3>(base, n_blocks, block));
  }
  static __device__ std::uint32_t low(std::uint32_t v, std::uint32_t bits) {
    return ((v << 2 & 0x3c3c3c3cu) | (bits << 6 & 0xc0c0c0c0u)) ^ 0x80808080u;
  }
  static __device__ std::uint32_t high(std::uint32_t v, std::uint32_t bits) {
    return ((v >> 2 & 0x3c3c3c3cu) | (bits << 2 & 0xc0c0c0c0u)) ^ 0x80808080u;
  }
  __device__ ChunkCodes unpack(int j) const {
    const int s = j & 2;
    const uint4 b = make_uint4(h.x >> s, h.y >> s, h.z >> s, h.w >> s);
    const float quarter = half_bits(d) * 0.25f;
    const int up = 24 - 8 * (j & 3);
    return {{low(q.x, b.x), low(q.y, b.y), low(q.z, b.z), low(q.w, b.w), high(q.x, b.x), high(q.y, b.y),
             high(q.z, b.z), high(q.w, b.w)},
            quarter * static_cast<float>(static_cast<int>(scales.x << up) >> 24),
            quarter * static_cast<float>(static_cast<int>(scales.y << up) >> 24),
            0};
  }
};

}  // namespace minfer::cuda
