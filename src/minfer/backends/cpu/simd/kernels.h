// The row kernels of an instruction set, as a table of plain functions: all that its units export. Written
// once (simd/generic/*.inl) over the words of simd/<isa>/words.h, so every table gives the same bits.
//
// Included by units that are compiled for an instruction set: plain declarations only, nothing of the
// standard library and nothing inline.
//
// Rows are contiguous. "out may be x" allows the very same row, not a shifted one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

struct MatMulKernels;  // backends/cpu/matmul
struct GemmKernels;    // likewise

// Attention of some tokens of one sequence over one segment of its positions, for the query heads that share
// some KV heads. A segment is kAttnSegment positions, a block kAttnBlock of them and a page of the cache.
static constexpr int kAttnBlock = 64;
static constexpr int kAttnSegment = 512;

// What attention knows of a (token, query head) after some keys: the largest score, the sum of exp(score -
// max) and the sum of exp(score - max) * v. In memory: max, sum, padding up to 16 floats, then head_dim
// floats.
static constexpr int kAttnStateHeader = 16;
static constexpr int attn_state_floats(int head_dim) { return kAttnStateHeader + (head_dim + 15) / 16 * 16; }

struct AttnSegment {
  const float* q = nullptr;                 // first token's first head; heads follow each other
  std::ptrdiff_t q_stride = 0;              // floats between tokens
  const std::int32_t* positions = nullptr;  // of the tokens: each sees the keys of positions 0 .. its own
  int n_tokens = 0;
  int n_kv_heads = 1;
  int n_group = 0;  // query heads of each KV head
  int head_dim = 0;
  float scale = 0;
  std::int64_t first_position = 0;  // of the segment
  // Physical page of each block of the segment that a token sees, and of one more if a token sees that.
  const std::int32_t* pages = nullptr;
  const std::byte* k = nullptr;  // the first KV head's first value (or block) in cell 0
  const std::byte* v = nullptr;
  std::size_t head_bytes = 0;  // between KV heads, of K and of V
  std::size_t row_bytes = 0;   // between cells
  float* states = nullptr;     // (n_tokens, n_kv_heads * n_group) states, overwritten; of tokens that see no
                               // key of the segment: untouched
  std::byte* scratch = nullptr;  // attn_scratch_bytes, of this caller alone
};

// How K and V lie in their regions, and how they are read. kAttnQ8_0Decoded reads the cells of kAttnQ8_0,
// decoded to float32 first.
enum AttnCells { kAttnF32, kAttnF16, kAttnQ8_0, kAttnQ8_0Decoded, kAttnCellKinds };

// The largest register blocks of any instruction set (kTileQueries and kTileWords of words.h).
static constexpr int kAttnMaxTileQueries = 12;
static constexpr int kAttnMaxTileWords = 2;

// Bytes of AttnSegment::scratch for n_queries = n_tokens * n_kv_heads * n_group: a block of K and of V as floats, the
// queries in another order, each query's weights of a block with what belongs to it, and the queries in int8.
static constexpr std::size_t attn_scratch_bytes(int n_queries, int head_dim) {
  const std::size_t padded = (static_cast<std::size_t>(head_dim) + 15) / 16 * 16;
  const std::size_t places = static_cast<std::size_t>(n_queries) + kAttnMaxTileQueries;
  return ((2 * kAttnBlock + 1) * padded + (kAttnMaxTileWords - 1) * 16 * kAttnBlock) * sizeof(float) +
         places * ((padded + kAttnBlock + 2 * (padded / 32) + 2) * sizeof(float) + sizeof(float*) + padded);
}

struct CpuKernels {
  // x / sqrt(mean(x^2) + eps) * weight. out may be x.
  void (*rms_norm_row)(const float* x, const float* weight, float eps, float* out, std::int64_t n);

  // Activation rows (quant/activation_row.h), equal to encode_q8_row32 and encode_q8_row256 bit for bit.
  void (*quantize_row_32)(const float* x, void* row, std::int64_t n);
  void (*quantize_row_256)(const float* x, void* row, std::int64_t n);
  // ggml's Q8_0 blocks, equal to the codec in quant/q8_0.h bit for bit.
  void (*encode_q8_0)(const float* x, void* blocks, std::int64_t n);

  // float16, rounded to nearest even, as quant/float16.h does it.
  void (*encode_f16)(const float* x, void* halves, std::int64_t n);

  // Element by element; out may be an operand.
  void (*add_row)(const float* x, const float* y, float* out, std::int64_t n);
  void (*mul_row)(const float* x, const float* y, float* out, std::int64_t n);
  void (*scale_row)(const float* x, float factor, float* out, std::int64_t n);
  void (*silu_row)(const float* x, float* out, std::int64_t n);
  void (*exp_row)(const float* x, float* out, std::int64_t n);
  void (*swiglu_row)(const float* gate, const float* up, float* out, std::int64_t n);
  void (*softmax_row)(const float* x, float* out, std::int64_t n);  // out may be x

  // Rotates the first n_dims values of each of n_heads heads, which are head_dim values apart; table: n_dims
  // / 2 cosines, then as many sines. Pair i is (i, i + n_dims / 2) for neox and (2i, 2i + 1) for interleaved;
  // the other values are copied. out may be x.
  void (*rope_neox)(const float* x, const float* table, float* out, int n_heads, int head_dim, int n_dims);
  void (*rope_interleaved)(const float* x, const float* table, float* out, int n_heads, int head_dim,
                           int n_dims);

  // Indexed by AttnCells. Q8_0 cells: K as an integer dot with the query, quantized like them.
  void (*attn_segment[kAttnCellKinds])(const AttnSegment& segment);
  // states += later, for n states of head_dim values, where `later` saw higher positions.
  void (*attn_merge)(float* states, const float* later, int n, int head_dim);
  // out[i] = the attention's result of state i, contiguous rows of head_dim values.
  void (*attn_finish)(const float* states, float* out, int n, int head_dim);

  const MatMulKernels* matmul;        // null where the table has none
  const GemmKernels* gemm = nullptr;  // of many tokens; null where the instruction set has none
};

extern const CpuKernels kScalarKernels;
extern const CpuKernels kAvx2Kernels;         // x86 only
extern const CpuKernels kAvxVnniKernels;      // x86 only: kAvx2Kernels with another matmul
extern const CpuKernels kAvx512Kernels;       // x86 only
extern const CpuKernels kAmxKernels;          // x86 only: kAvx512Kernels with another gemm
extern const CpuKernels kNeonKernels;         // Arm only
extern const CpuKernels kNeonDotprodKernels;  // Arm only
extern const CpuKernels kNeonI8mmKernels;     // Arm only: kNeonDotprodKernels with another gemm

}  // namespace minfer
