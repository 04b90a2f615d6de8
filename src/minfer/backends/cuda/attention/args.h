// What kernels of attention are launched with. Plain header.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "backends/cuda/device/fault.h"
#include "tensor/dtype.h"

namespace minfer::cuda {

// A layer's regions of the KV cache: n_cells rows each, row c at c * row_bytes.
struct KvCells {
  std::byte* k = nullptr;
  std::byte* v = nullptr;
  std::int64_t n_cells = 0;
  DType type = DType::kF32;  // kF32, kF16 or kQ8_0 (34-byte blocks: float16 scale, 32 int8)
  int n_head_kv = 0;
  int head_dim = 0;
  std::int64_t row_bytes = 0;  // of all heads of a cell
};

// Causal attention of each token over its sequence: token t reads positions 0 .. positions[t] of row slots[t] of the
// page table, position p at cell page_table[slot][p / 64] * 64 + p % 64. Query head h reads KV head
// h / (n_head / n_head_kv). Lengths are data on the device: a launch must not depend on them, only on max_pages.
struct AttentionArgs {
  const float* q = nullptr;                  // (n_tokens, n_head * head_dim)
  const std::int32_t* positions = nullptr;   // (n_tokens)
  const std::int32_t* slots = nullptr;       // (n_tokens)
  const std::int32_t* page_table = nullptr;  // (n_slots, max_pages), -1 where there is no page
  int n_slots = 0;
  int max_pages = 0;
  KvCells kv;
  void* out = nullptr;           // (n_tokens, n_head * head_dim)
  DType out_type = DType::kF32;  // or kQ8Row32, where the plan of the kernel says it can
  std::int64_t out_stride = 0;   // bytes between rows
  std::int64_t n_tokens = 0;
  int n_head = 0;
  float scale = 1;            // multiplies q . k
  void* workspace = nullptr;  // as many bytes as the plan asked for, at a multiple of 64
  FaultSink faults;
};

// Stores rows of keys and values into cells, converted to their type: kF16 rounds to nearest even, kQ8_0 as
// quantize_group_32 (quant/q8_group.h), both bit for bit as the CPU does.
struct KvStoreArgs {
  const float* k = nullptr;  // (n_tokens, n_head_kv * head_dim)
  const float* v = nullptr;
  std::int64_t stride = 0;              // floats between rows, of k and of v
  const std::int32_t* cells = nullptr;  // (n_tokens)
  KvCells kv;
  std::int64_t n_tokens = 0;
  FaultSink faults;  // kCell: a cell beyond the region is left out
};

}  // namespace minfer::cuda
