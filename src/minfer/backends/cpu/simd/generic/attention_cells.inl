// How a head's keys and values are read from the cells of the KV cache: one class for each cell type, whose load gives
// `count` values from `i` on of the row that begins at `row`, as float32.
#pragma once

#include "backends/cpu/simd/generic/attention_words.inl"
#include "backends/cpu/simd/generic/lanes.inl"
#include "backends/cpu/simd/generic/quantize.inl"
#include "backends/cpu/simd/generic/unrolled.inl"
#include "backends/cpu/simd/kernels.h"

namespace minfer {
namespace {

struct F32Cells {
  static std::size_t bytes(int n) { return static_cast<std::size_t>(n) * sizeof(float); }
  static F32x16 load(const std::byte* row, int i, int count) {
    return load_n(reinterpret_cast<const float*>(row) + i, count);
  }
};

struct F16Cells {
  static std::size_t bytes(int n) { return static_cast<std::size_t>(n) * sizeof(std::uint16_t); }
  static F32x16 load(const std::byte* row, int i, int count) {
    return load_f16_n(reinterpret_cast<const std::uint16_t*>(row) + i, count);
  }
};

// Heads of whole blocks only, so that count is always kLanes.
struct Q8Cells {
  static std::size_t bytes(int n) { return static_cast<std::size_t>(n) / 32 * sizeof(BlockQ8_0); }
  static F32x16 load(const std::byte* row, int i, int /*count*/) {
    const BlockQ8_0& block = reinterpret_cast<const BlockQ8_0*>(row)[i / 32];
    return mul(broadcast(f16_to_f32(block.d)), load_i8(block.qs + i % 32));
  }
};

// Asks for bytes that are read soon, but after so much else that the first-level cache is not the place for them.
inline void prefetch_l2(const void* address, std::size_t bytes) {
  constexpr std::uintptr_t kCacheLine = 64;
  const auto* const first = static_cast<const char*>(address);
  const auto* line = first - reinterpret_cast<std::uintptr_t>(first) % kCacheLine;
  for (; line < first + bytes; line += kCacheLine) __builtin_prefetch(line, 0, 2);
}

// The rows of a block to come, fetched little by little while another one is worked on: they lie so far apart that no
// hardware does it.
class RowsAhead {
 public:
  RowsAhead(const std::byte* first, std::size_t stride, std::size_t bytes, int n)
      : row_(first), stride_(stride), bytes_(bytes), n_left_(n) {}
  void fetch(int n) {
    for (; n > 0 && n_left_ > 0; --n, --n_left_, row_ += stride_) prefetch_l2(row_, bytes_);
  }

 private:
  const std::byte* row_;
  std::size_t stride_;
  std::size_t bytes_;
  int n_left_;
};

inline int words_of(int head_dim) { return (head_dim + kLanes - 1) / kLanes; }
inline int lanes_in_word(int head_dim, int word) {
  const int rest = head_dim - word * kLanes;
  return rest < kLanes ? rest : kLanes;
}

// How many keys of the block at `first` a token at `position` sees.
inline int keys_in_block(std::int64_t position, std::int64_t first) {
  const std::int64_t n = position + 1 - first;
  return static_cast<int>(n < 0 ? 0 : n > kAttnBlock ? kAttnBlock : n);
}

// The part of a segment that belongs to one KV head. Query i is head i % n_group of token i / n_group.
struct HeadSegment {
  const AttnSegment& s;
  int kv_head;
  int n_queries = s.n_tokens * s.n_group;

  const float* query(int i) const {
    return s.q + i / s.n_group * s.q_stride + (kv_head * s.n_group + i % s.n_group) * s.head_dim;
  }
  float* state(int i) const {
    const int index = (i / s.n_group * s.n_kv_heads + kv_head) * s.n_group + i % s.n_group;
    return s.states + std::ptrdiff_t{index} * attn_state_floats(s.head_dim);
  }
  std::int64_t position(int i) const { return s.positions[i / s.n_group]; }
  // From how many queries on copying a block's rows (transposed, or decoded) pays.
  bool has_many_queries() const { return n_queries > 8; }
};

// A block of it in the cache.
struct HeadBlock {
  const std::byte* keys;
  const std::byte* values;
  int n_keys;  // that the last token sees

  HeadBlock(const HeadSegment& head, int block, std::int64_t last_position) {
    const AttnSegment& s = head.s;
    n_keys = keys_in_block(last_position, s.first_position + block * kAttnBlock);
    const std::size_t cell = n_keys ? static_cast<std::size_t>(s.pages[block]) * kAttnBlock : 0;
    const std::size_t offset = cell * s.row_bytes + static_cast<std::size_t>(head.kv_head) * s.head_bytes;
    keys = s.k + offset;
    values = s.v + offset;
  }
};

}  // namespace
}  // namespace minfer
