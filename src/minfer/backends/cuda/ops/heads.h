// Kernels that work on the heads of queries, keys and values: norm, rotation, storing. Plain header.
//
// overlap: the launch may start before its predecessor ends (device/launch.cuh).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "backends/cuda/attention/args.h"

namespace minfer::cuda {

inline constexpr int kMaxHeadDim = 256;
inline constexpr int kMaxRopePairs = 256;

// x and out (n_rows, n_head * head_dim), weight (head_dim).
void launch_qk_norm(const float* x, const float* weight, float eps, float* out, std::int64_t n_rows,
                    int n_head, int head_dim, bool overlap, cudaStream_t stream);

struct RopeArgs {
  const float* x = nullptr;      // (n_tokens, n_head * head_dim)
  const float* table = nullptr;  // (n_tokens, n_dims): cosines, then sines
  float* out = nullptr;          // as x, and may be x
  std::int64_t n_tokens = 0;
  int n_head = 0;
  int head_dim = 0;
  int n_dims = 0;
  bool neox = true;
};
void launch_rope(const RopeArgs& args, bool overlap, cudaStream_t stream);

struct RopeTableArgs {
  const std::int32_t* positions = nullptr;  // (n_tokens)
  float* table = nullptr;                   // (n_tokens, 2 * n_pairs)
  std::int64_t n_tokens = 0;
  int n_pairs = 0;
  float attention_factor = 1;
  double frequencies[kMaxRopePairs];  // radians per position
};
void launch_rope_table(const RopeTableArgs& args, bool overlap, cudaStream_t stream);

void launch_kv_store(const KvStoreArgs& args, bool overlap, cudaStream_t stream);

// Biases, norms and rotation of the heads of a concatenated projection, and the store of keys and values.
struct QkvArgs {
  const float* qkv = nullptr;    // (n_tokens, n_q + 2 * n_kv)
  const float* table = nullptr;  // (n_tokens, n_dims)
  const float* bias[3] = {};     // of q, k, v; null: none
  const float* norm[2] = {};     // of q, k: (head_dim); null: none
  const std::int32_t* cells = nullptr;
  float* q = nullptr;  // (n_tokens, n_head * head_dim): the rotated queries
  KvCells kv;
  std::int64_t n_tokens = 0;
  int n_head = 0;
  int n_dims = 0;
  bool neox = true;
  float eps = 0;
  FaultSink faults;
};
void launch_qkv_bias_rope_store(const QkvArgs& args, bool overlap, cudaStream_t stream);

}  // namespace minfer::cuda
