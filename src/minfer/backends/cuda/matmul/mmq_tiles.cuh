// How each type's weights come from memory into the fragments of mma.m16n8k32: a step is 256 k of 128 rows, in
// shared memory as stored (rows kStride apart, so that 8 rows of a 16-byte column fall on different banks), a group
// 32 k.
//
// Codes are bytes, possibly scaled by a power of two that the scales undo (weight_chunk.cuh has the same tricks).
// Groups come in pairs that share bytes: of Q4_K and Q6_K the low and the high nibbles.
#pragma once

#include "backends/cuda/matmul/mma.cuh"
#include "backends/cuda/matmul/mmq_params.h"
#include "backends/cuda/matmul/weight_chunk.cuh"

namespace minfer::cuda {

// A row of the tile in the matrix: row r of its blocks.
struct MmqRow {
  const std::uint8_t* data;
  std::size_t first_block;
};

// What a thread holds of a step besides the copies that are on their way: scales that lie at unaligned addresses.
template <int kCount>
struct MmqHeld {
  std::uint16_t halves[kCount];
};

// Scales of a thread's two rows for one group.
struct MmqScales {
  float scale[2];
  float minimum[2];  // where kHasMin
  int part[2][2];    // where kHalves: integer scales of the two runs of 16; scale is then of both
};

template <DType kType>
struct MmqTile;

// Types of 32 values: a step is 8 blocks; their scales follow the codes of a row.
template <DType kType, int kCodeBytes>
struct MmqTileOf32 {
  static constexpr int kBlocks = 8;
  static constexpr int kStride = kBlocks * kCodeBytes + 16;
  static constexpr int kExtra = 0;
  static constexpr bool kHasMin = false;
  static constexpr bool kHalves = false;
  using Held = MmqHeld<4>;
  using P = Planes<kType>;

  // Codes of row `row` by all threads that ask with piece = 0, 1, ... below kPieces.
  static constexpr int kPieces = kBlocks * kCodeBytes / 16;
  static __device__ void copy_piece(std::uint32_t tile, int row, int piece, const MmqRow& source,
                                    std::size_t n_blocks, int step, int row_blocks) {
    const int block = kBlocks * step + piece * 16 / kCodeBytes;
    const std::uint8_t* from =
        plane_of<WeightLayout::kPlanar, P, 0>(source.data, n_blocks, source.first_block + block);
    const bool valid = block < row_blocks;
    copy16_async(tile + row * kStride + piece * 16, valid ? from + piece * 16 % kCodeBytes : source.data,
                 valid);
  }
  // Thread t of 256 holds the scales of half a row.
  static __device__ void hold(Held& held, const MmqRow& source, std::size_t n_blocks, int step,
                              int row_blocks) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int block = kBlocks * step + threadIdx.x % 2 * 4 + i;
      held.halves[i] = 0;
      if (block < row_blocks) {
        held.halves[i] = static_cast<std::uint16_t>(load_stream2(
            plane_of<WeightLayout::kPlanar, P, 1>(source.data, n_blocks, source.first_block + block)));
      }
    }
  }
  static __device__ int held_row() { return threadIdx.x / 2; }
  static __device__ void store(const Held& held, std::uint8_t* tile) {
    auto* to =
        reinterpret_cast<uint2*>(tile + held_row() * kStride + kBlocks * kCodeBytes + threadIdx.x % 2 * 8);
    *to = make_uint2(held.halves[0] | std::uint32_t{held.halves[1]} << 16,
                     held.halves[2] | std::uint32_t{held.halves[3]} << 16);
  }

  std::uint32_t d[2][4];  // of rows g and g + 8: 8 halves
  __device__ void load_scales(const std::uint8_t* tile, int row) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const uint4 v = *reinterpret_cast<const uint4*>(tile + (row + 8 * h) * kStride + kBlocks * kCodeBytes);
      d[h][0] = v.x, d[h][1] = v.y, d[h][2] = v.z, d[h][3] = v.w;
    }
  }
  __device__ float block_scale(int h, int block) const {
    return half_bits(d[h][block / 2] >> (16 * (block % 2)));
  }
};

template <>
struct MmqTile<DType::kQ8_0> : MmqTileOf32<DType::kQ8_0, 32> {
  static __device__ int group(int pair, int which) { return 2 * pair + which; }
  // Codes of both groups of a pair, for the warp's 16 rows from `row` on.
  static __device__ void codes(std::uint32_t tile, int row, int pair, std::uint32_t (&a)[2][4]) {
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int which = 0; which < 2; ++which) {
      load_matrices(a[which], tile + (row + lane % 16) * kStride + 64 * pair + 32 * which + lane / 16 * 16);
    }
  }
  __device__ MmqScales scales(int pair, int which) const {
    MmqScales s;
#pragma unroll
    for (int h = 0; h < 2; ++h) s.scale[h] = block_scale(h, 2 * pair + which);
    return s;
  }
};

template <>
struct MmqTile<DType::kQ4_0> : MmqTileOf32<DType::kQ4_0, 16> {
  using Chunk = WeightChunk<DType::kQ4_0, WeightLayout::kPlanar>;
  static __device__ int group(int pair, int which) { return 2 * pair + which; }
  static __device__ void codes(std::uint32_t tile, int row, int pair, std::uint32_t (&a)[2][4]) {
    const int lane = threadIdx.x & 31;
    std::uint32_t w[4];  // rows g and g + 8 of one block, then of the next
    load_matrices(w, tile + (row + lane % 16) * kStride + 32 * pair + lane / 16 * 16);
#pragma unroll
    for (int which = 0; which < 2; ++which) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        a[which][h] = Chunk::low(w[2 * which + h]);
        a[which][2 + h] = Chunk::high(w[2 * which + h]);
      }
    }
  }
  __device__ MmqScales scales(int pair, int which) const {
    MmqScales s;
#pragma unroll
    for (int h = 0; h < 2; ++h) s.scale[h] = block_scale(h, 2 * pair + which) * 0.0625f;
    return s;
  }
};

template <>
struct MmqTile<DType::kQ4_K> {
  static constexpr int kStride = 144;
  static constexpr int kExtra = 0;
  static constexpr bool kHasMin = true;
  static constexpr bool kHalves = false;
  using Held = MmqHeld<1>;
  static constexpr int kPieces = 9;
  static __device__ void copy_piece(std::uint32_t tile, int row, int piece, const MmqRow& source, std::size_t,
                                    int step, int) {
    copy16_async(tile + row * kStride + piece * 16,
                 source.data + (source.first_block + step) * 144 + piece * 16);
  }
  static __device__ int held_row() { return 0; }
  static __device__ void hold(Held&, const MmqRow&, std::size_t, int, int) {}
  static __device__ void store(const Held&, std::uint8_t*) {}

  static __device__ int group(int pair, int which) { return 2 * pair + which; }
  static __device__ void codes(std::uint32_t tile, int row, int pair, std::uint32_t (&a)[2][4]) {
    const int lane = threadIdx.x & 31;
    std::uint32_t w[4];
    load_matrices(w, tile + (row + lane % 16) * kStride + 16 + 32 * pair + lane / 16 * 16);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      a[0][i] = w[i] & 0x0f0f0f0fu;
      a[1][i] = w[i] >> 4 & 0x0f0f0f0fu;
    }
  }

  // Of the four threads that have a row, each unpacks the scales of one pair of groups.
  float own[2][4];  // of rows g and g + 8: scales, then minimums, of pair lane % 4
  __device__ void load_scales(const std::uint8_t* tile, int row) {
    const int pair = threadIdx.x & 3;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const uint4 header = *reinterpret_cast<const uint4*>(tile + (row + 8 * h) * kStride);
      std::uint32_t scale_pair, min_pair;
      ChunkOfK4::scales(header, 2 * pair, scale_pair, min_pair);
      const float d = half_bits(header.x), dmin = half_bits(header.x >> 16);
      own[h][0] = d * static_cast<float>(scale_pair & 0xffu);
      own[h][1] = d * static_cast<float>(scale_pair >> 8 & 0xffu);
      own[h][2] = -dmin * static_cast<float>(min_pair & 0xffu);
      own[h][3] = -dmin * static_cast<float>(min_pair >> 8 & 0xffu);
    }
  }
  __device__ MmqScales scales(int pair, int which) const {
    const int from = (threadIdx.x & 28) + pair;
    MmqScales s;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      s.scale[h] = __shfl_sync(~0u, own[h][which], from);
      s.minimum[h] = __shfl_sync(~0u, own[h][2 + which], from);
    }
    return s;
  }
};

template <>
struct MmqTile<DType::kQ6_K> {
  static constexpr int kStride = 208;          // low bits, high bits, scales
  static constexpr int kExtra = kMmqRows * 2;  // the blocks' d, after the rows
  static constexpr bool kHasMin = false;
  static constexpr bool kHalves = true;
  using Held = MmqHeld<1>;
  using P = Planes<DType::kQ6_K>;
  using Chunk = WeightChunk<DType::kQ6_K, WeightLayout::kPlanar>;
  static constexpr int kPieces = 13;
  static __device__ void copy_piece(std::uint32_t tile, int row, int piece, const MmqRow& source,
                                    std::size_t n_blocks, int step, int) {
    const std::size_t block = source.first_block + step;
    const std::uint8_t* from =
        piece < 8    ? plane_of<WeightLayout::kPlanar, P, 0>(source.data, n_blocks, block) + piece * 16
        : piece < 12 ? plane_of<WeightLayout::kPlanar, P, 1>(source.data, n_blocks, block) + (piece - 8) * 16
                     : plane_of<WeightLayout::kPlanar, P, 2>(source.data, n_blocks, block);
    copy16_async(tile + row * kStride + piece * 16, from);
  }
  static __device__ int held_row() { return threadIdx.x % kMmqRows; }
  static __device__ void hold(Held& held, const MmqRow& source, std::size_t n_blocks, int step, int) {
    held.halves[0] = static_cast<std::uint16_t>(load_stream2(
        plane_of<WeightLayout::kPlanar, P, 3>(source.data, n_blocks, source.first_block + step)));
  }
  static __device__ void store(const Held& held, std::uint8_t* tile) {
    reinterpret_cast<std::uint16_t*>(tile + kMmqRows * kStride)[held_row()] = held.halves[0];
  }

  static __device__ int group(int pair, int which) { return pair / 2 * 4 + pair % 2 + 2 * which; }
  static __device__ void codes(std::uint32_t tile, int row, int pair, std::uint32_t (&a)[2][4]) {
    const int lane = threadIdx.x & 31;
    const std::uint32_t at = tile + (row + lane % 16) * kStride + lane / 16 * 16;
    std::uint32_t w[4], h[4];
    load_matrices(w, at + 32 * pair);
    load_matrices(h, at + 128 + pair / 2 * 32);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t bits = h[i] >> (2 * (pair % 2));
      a[0][i] = Chunk::low(w[i], bits);
      a[1][i] = Chunk::high(w[i], bits);
    }
  }

  uint4 packed[2];  // 16 scales of rows g and g + 8
  float d[2];
  __device__ void load_scales(const std::uint8_t* tile, int row) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      packed[h] = *reinterpret_cast<const uint4*>(tile + (row + 8 * h) * kStride + 192);
      d[h] =
          0.25f * half_bits(reinterpret_cast<const std::uint16_t*>(tile + kMmqRows * kStride)[row + 8 * h]);
    }
  }
  __device__ MmqScales scales(int pair, int which) const {
    const int first = 2 * group(pair, which);
    MmqScales s;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const std::uint32_t words[4] = {packed[h].x, packed[h].y, packed[h].z, packed[h].w};
      s.scale[h] = d[h];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        s.part[h][i] = static_cast<signed char>(words[(first + i) / 4] >> (8 * ((first + i) % 4)) & 0xffu);
      }
    }
    return s;
  }
};

}  // namespace minfer::cuda
