// Float16 matrix products for many tokens: weights decoded to float16, activations rounded to float16, float32 sums.
// Float32 weights and their activations are pairs of float16, which keep 22 bits. Plain header.
#pragma once

#include "backends/cuda/device/limits.h"
#include "backends/cuda/matmul/args.h"

namespace minfer::cuda {

// What the products of float16 matrices multiply: out[t][first_out + r] = token_scale[t] * row_scale[r] *
// (w[r] . x[t]).
struct GemmF16Args {
  const void* w = nullptr;             // (n, k) float16; where swiglu: rows of gate and up in turns of 8
  const void* x = nullptr;             // (n_tokens, k) float16
  const float* token_scale = nullptr;  // (n_tokens)
  const float* row_scale = nullptr;    // (n); null: 1
  float* out = nullptr;
  std::int64_t out_stride = 0;  // floats between rows
  int n = 0;
  int k = 0;
  int n_tokens = 0;
  bool swiglu = false;              // out[t][r] = silu(gate) * up; n counts rows of both
  const float* residual = nullptr;  // as out, added to the products (not with swiglu); null: none
};

// k a multiple of 32.
bool gemm_f16_sm90_supported(const DeviceLimits& limits);
void prepare_gemm_f16_sm90();  // asks for shared memory; where a node is planned
void launch_gemm_f16_sm90(const GemmF16Args& args, const DeviceLimits& limits, cudaStream_t stream);

bool gemm_f16_mma_supported(const DeviceLimits& limits);
void launch_gemm_f16_mma(const GemmF16Args& args, bool overlap, cudaStream_t stream);

// Rows first_row .. first_row + n_rows of a weight of any type to float16, row i to out row i, or to rows of 16 i /
// 8 + i % 8 + turn * 8 where in_turns (of gate and up).
bool decode_f16_supported(DType type, WeightLayout layout);
struct DecodeF16Args {
  WeightMatrix weight;
  std::int64_t first_row = 0;
  std::int64_t n_rows = 0;  // fewer than 2^35 values in all
  void* out = nullptr;      // (.., k) float16
  bool in_turns = false;
  int turn = 0;
};
void launch_decode_f16(const DecodeF16Args& args, bool overlap, cudaStream_t stream);

// Rows of floats as pairs: high is the value rounded to float16, low what that left over, each row scaled by the power
// of two that brings its largest magnitude to 2^12 .. 2^13. Rows of weights are stored as (high, high, low), others as
// (high, low, high), so that a product of kSplitParts * k columns is high * high + high * low + low * high.
inline constexpr int kSplitParts = 3;
struct SplitF16Args {
  const float* in = nullptr;
  std::int64_t stride = 0;  // floats between rows, a multiple of 4
  std::int64_t k = 0;       // a multiple of 4
  std::int64_t n_rows = 0;
  void* out = nullptr;     // (n_rows, kSplitParts * k) float16
  float* scale = nullptr;  // (n_rows): undoes the scaling
  bool weights = false;
  bool in_turns = false;  // rows and scales of gate and up, as in DecodeF16Args
  int turn = 0;
};
void launch_split_f16(const SplitF16Args& args, bool overlap, cudaStream_t stream);

// Rows of x to float16, each scaled by the power of two that brings its largest magnitude to 2^12 .. 2^13, so that no
// value overflows and small ones keep their bits; scale[t] undoes it.
void launch_activations_f16(const void* x, DType type, std::int64_t x_stride, std::int64_t k,
                            std::int64_t n_tokens, void* out, float* scale, bool overlap,
                            cudaStream_t stream);

}  // namespace minfer::cuda
