// The values of a chunk of weights (weight_chunk.cuh) in float16, for matrix products on float16.
#pragma once

#include "backends/cuda/matmul/weight_chunk.cuh"

namespace minfer::cuda {

// Values of one word of codes: scale * code + minimum, rounded once.
template <bool kSigned>
__device__ __forceinline__ uint2 decode_word(std::uint32_t codes, float scale, float minimum) {
  float v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t byte = codes >> (8 * i) & 0xffu;
    const int code = kSigned ? static_cast<int>(static_cast<signed char>(byte)) : static_cast<int>(byte);
    v[i] = fmaf(scale, static_cast<float>(code), minimum);
  }
  const __half2 a = __floats2half2_rn(v[0], v[1]), b = __floats2half2_rn(v[2], v[3]);
  return make_uint2(*reinterpret_cast<const std::uint32_t*>(&a), *reinterpret_cast<const std::uint32_t*>(&b));
}

// Stores half of a run: 8 values, 16 bytes.
template <bool kSigned>
__device__ __forceinline__ void decode_half_run(const std::uint32_t* w, int half, float scale, float minimum,
                                                __half* out) {
  const uint2 a = decode_word<kSigned>(half ? w[2] : w[0], scale, minimum);
  const uint2 b = decode_word<kSigned>(half ? w[3] : w[1], scale, minimum);
  reinterpret_cast<uint4*>(out)[half] = make_uint4(a.x, a.y, b.x, b.y);
}

// Stores half of the 32 values of chunk j of a block whose values begin at `out`: 8 of each run. Neighbouring threads
// take the halves of a chunk, so that a store of theirs fills whole 32-byte sectors.
template <typename Chunk>
__device__ __forceinline__ void decode_chunk(const Chunk& chunk, int j, int half, __half* out) {
  const ChunkCodes c = chunk.unpack(j);
  float second_scale = c.second_scale, first_min = c.minimum, second_min = c.minimum;
  if constexpr (Chunk::kOneScale) second_scale = c.first_scale / static_cast<float>(1 << Chunk::kSecondShift);
  if constexpr (Chunk::kLanes == 8 && Chunk::kHasMin) {
    std::uint32_t scale_pair, min_pair;
    Chunk::scales(chunk.header, j, scale_pair, min_pair);
    const float dmin = half_bits(chunk.header.x >> 16);
    first_min = -dmin * static_cast<float>(min_pair & 0xffu);
    second_min = -dmin * static_cast<float>(min_pair >> 8 & 0xffu);
  }
  decode_half_run<Chunk::kSigned>(c.w, half, c.first_scale, first_min, out + Chunk::first_run(j));
  decode_half_run<Chunk::kSigned>(c.w + 4, half, second_scale, second_min,
                                  out + Chunk::first_run(j) + Chunk::kRunDistance);
}

}  // namespace minfer::cuda
