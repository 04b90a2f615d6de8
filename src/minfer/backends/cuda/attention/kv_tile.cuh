// Tiles of the KV cache in shared memory as float16, for attention on the tensor cores: rows of kDim values (those
// past head_dim zero), kStride apart, so that the 8 rows of a matrix fall on different banks.
#pragma once

#include <cuda_fp16.h>

#include "backends/cuda/attention/args.h"
#include "backends/cuda/device/fault.cuh"
#include "backends/cuda/matmul/mma.cuh"

namespace minfer::cuda {

inline constexpr int kPageSize = 64;

template <int kDim>
inline constexpr int kStride = kDim + 8;  // halves between rows of a tile

// Two floats as float16, and what the rounding left over, also as float16.
struct HalfPair {
  std::uint32_t high;
  std::uint32_t low;
};

__device__ __forceinline__ HalfPair split_floats(float a, float b) {
  const __half2 high = __floats2half2_rn(a, b);
  const float2 back = __half22float2(high);
  const __half2 low = __floats2half2_rn(a - back.x, b - back.y);
  return {*reinterpret_cast<const std::uint32_t*>(&high), *reinterpret_cast<const std::uint32_t*>(&low)};
}

// Eight values of a cell from value `v` (a multiple of 8) of its row on: as float16 in high, and (kParts == 2) their
// remainders in low.
template <DType kCell>
__device__ __forceinline__ void decode_eight(const std::byte* row, int v, uint4& high, uint4& low);

template <>
__device__ __forceinline__ void decode_eight<DType::kF32>(const std::byte* row, int v, uint4& high,
                                                          uint4& low) {
  const float4 a = *reinterpret_cast<const float4*>(row + 4 * v),
               b = *reinterpret_cast<const float4*>(row + 4 * v + 16);
  const HalfPair p[4] = {split_floats(a.x, a.y), split_floats(a.z, a.w), split_floats(b.x, b.y),
                         split_floats(b.z, b.w)};
  high = make_uint4(p[0].high, p[1].high, p[2].high, p[3].high);
  low = make_uint4(p[0].low, p[1].low, p[2].low, p[3].low);
}

template <>
__device__ __forceinline__ void decode_eight<DType::kQ8_0>(const std::byte* row, int v, uint4& high,
                                                           uint4& low) {
  const auto* block = reinterpret_cast<const std::uint16_t*>(row + v / 32 * 34);  // at a multiple of 2
  const float d = __half2float(__ushort_as_half(block[0]));
  std::uint32_t pairs[4], rests[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t q = block[1 + v % 32 / 2 + i];
    const HalfPair p = split_floats(d * static_cast<float>(static_cast<signed char>(q & 0xff)),
                                    d * static_cast<float>(static_cast<signed char>(q >> 8)));
    pairs[i] = p.high;
    rests[i] = p.low;
  }
  high = make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
  low = make_uint4(rests[0], rests[1], rests[2], rests[3]);
}

// Where a sequence's cells lie.
struct SequencePages {
  const std::int32_t* pages;  // its row of the page table
  int max_pages;
  std::int64_t n_cells;
  FaultSink faults;

  // The cell of a position; -1 and a fault where the table has no page of the region.
  __device__ __forceinline__ std::int64_t cell(int position) const {
    const int index = position / kPageSize;
    const int page = index < max_pages ? pages[index] : -1;
    const std::int64_t cell = std::int64_t{page} * kPageSize + position % kPageSize;
    if (page >= 0 && cell < n_cells) return cell;
    report_fault(faults, FaultKind::kPage, index, page);
    return -1;
  }
};

// The cells of up to 64 positions from `first` on, which lie in two pages at most.
struct TileCells {
  std::int64_t before;  // the cell of the first key, -1 where there is no page
  std::int64_t after;   // the first cell of the second page, likewise
  int boundary;         // keys from here on lie in the second page
  int n_keys;           // that there are

  __device__ __forceinline__ TileCells(const SequencePages& sequence, int first, int end)
      : before(-1), after(-1), boundary(kPageSize - first % kPageSize), n_keys(min(end - first, kPageSize)) {
    if (n_keys > 0) before = sequence.cell(first);
    if (n_keys > boundary) after = sequence.cell(first + boundary);
  }
  // -1 where there is none.
  __device__ __forceinline__ std::int64_t cell(int key) const {
    const bool second = key >= boundary;
    const std::int64_t base = second ? after : before;
    return key < n_keys && base >= 0 ? base + (second ? key - boundary : key) : -1;
  }
};

// Copies the rows of head `head` of a tile's cells to `target` (and their remainders to target + remainder_offset
// bytes); keys without a cell become zeros. float16 cells arrive with the thread's next committed group of copies,
// others at once; either way the block synchronizes after.
template <DType kCell, int kDim, int kParts, int kKeys, int kThreads>
__device__ __forceinline__ void load_kv_tile(std::uint8_t* target, int remainder_offset,
                                             const std::byte* region, const KvCells& kv,
                                             const TileCells& cells, int head) {
  static_assert(kKeys <= kPageSize, "a tile lies in two pages at most");
  constexpr int kPieces = kDim / 8;  // 16-byte pieces of a row of the tile
  static_assert(kKeys * kPieces % kThreads == 0, "all threads have the same number of pieces");
#pragma unroll 4
  for (int n = 0; n < kKeys * kPieces / kThreads; ++n) {
    const int i = threadIdx.x + n * kThreads, key = i / kPieces, piece = i % kPieces;
    const std::int64_t cell = cells.cell(key);
    const bool valid = cell >= 0 && 8 * piece < kv.head_dim;
    const int v = head * kv.head_dim + 8 * piece;
    const std::byte* row = region + (valid ? cell * kv.row_bytes : 0);
    std::uint8_t* to = target + (key * kStride<kDim> + 8 * piece) * 2;
    if constexpr (kCell == DType::kF16) {
      copy16_async(to_shared(to), row + (valid ? 2 * v : 0), valid);
    } else {
      uint4 high, low;
      decode_eight<kCell>(row, valid ? v : 0, high, low);  // without a branch, so that loads go out together
      if (!valid) high = low = make_uint4(0, 0, 0, 0);
      *reinterpret_cast<uint4*>(to) = high;
      if constexpr (kParts == 2) *reinterpret_cast<uint4*>(to + remainder_offset) = low;
    }
  }
}

}  // namespace minfer::cuda
