// The layout kPlanar: the fields of all blocks of a matrix, field by field instead of block by block, so that each
// lies at an aligned address and loads are 16 bytes wide. Exactly as many bytes as the file's. Used where blocks
// are not a multiple of 16 bytes (Q4_0 18, Q4_1 20, Q5_0 22, Q5_1 24, Q8_0 34, Q6_K 210). Plain header.
//   field f of block b: n_blocks * offset(f) + b * bytes(f), where offset(f) is the sum of the fields before it
#pragma once

#include "backends/cuda/matmul/weight_matrix.h"

namespace minfer::cuda {

struct PlaneField {
  int raw_offset;  // in a block of the file
  int bytes;
};

inline constexpr int kMaxPlanes = 4;

// Wide fields first, so that every plane is aligned to its field.
struct PlaneTable {
  int block_bytes;
  int n_fields;
  PlaneField fields[kMaxPlanes];
  constexpr int offset(int field) const {
    int sum = 0;
    for (int i = 0; i < field; ++i) sum += fields[i].bytes;
    return sum;
  }
};

template <DType kType>
struct Planes;  // codes first, scales last
template <>
struct Planes<DType::kQ4_0> {
  static constexpr PlaneTable kTable{18, 2, {{2, 16}, {0, 2}}};
};
template <>
struct Planes<DType::kQ4_1> {
  static constexpr PlaneTable kTable{20, 2, {{4, 16}, {0, 4}}};
};
template <>
struct Planes<DType::kQ5_0> {
  static constexpr PlaneTable kTable{22, 3, {{6, 16}, {2, 4}, {0, 2}}};
};
template <>
struct Planes<DType::kQ5_1> {
  static constexpr PlaneTable kTable{24, 3, {{8, 16}, {0, 4}, {4, 4}}};
};
template <>
struct Planes<DType::kQ8_0> {
  static constexpr PlaneTable kTable{34, 2, {{2, 32}, {0, 2}}};
};
template <>
struct Planes<DType::kQ6_K> {
  static constexpr PlaneTable kTable{210, 4, {{0, 128}, {128, 64}, {192, 16}, {208, 2}}};
};

// The same as a constant, which device code may use.
template <typename P, int kField>
inline constexpr int kPlaneOffset = P::kTable.offset(kField);
template <typename P, int kField>
inline constexpr PlaneField kPlaneField = P::kTable.fields[kField];

#ifdef __CUDACC__
// Where field kField of a block lies, in either layout.
template <WeightLayout kLayout, typename P, int kField>
__device__ __forceinline__ const std::uint8_t* plane_of(const std::uint8_t* base, std::size_t n_blocks,
                                                        std::size_t block) {
  constexpr PlaneField kF = kPlaneField<P, kField>;
  constexpr int kOffset = kPlaneOffset<P, kField>;
  constexpr int kBlockBytes = P::kTable.block_bytes;
  if constexpr (kLayout == WeightLayout::kPlanar) return base + n_blocks * kOffset + block * kF.bytes;
  return base + block * kBlockBytes + kF.raw_offset;
}
#endif

}  // namespace minfer::cuda
