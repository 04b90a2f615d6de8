// All row kernels of an instruction set, after its words.h: a unit defines its table as
// CpuKernels{MINFER_ROW_KERNELS, matmul table}.
#pragma once

#include "backends/cpu/matmul/matmul_kernels.h"
#include "backends/cpu/simd/generic/attention.inl"
#include "backends/cpu/simd/generic/quantize.inl"
#include "backends/cpu/simd/generic/rows.inl"
#include "backends/cpu/simd/kernels.h"

#define MINFER_ROW_KERNELS                                                                                \
  .rms_norm_row = rms_norm_row, .quantize_row_32 = quantize_row_32, .quantize_row_256 = quantize_row_256, \
  .encode_q8_0 = encode_q8_0, .encode_f16 = encode_f16, .add_row = add_row, .mul_row = mul_row,           \
  .scale_row = scale_row, .silu_row = silu_row, .exp_row = exp_row, .swiglu_row = swiglu_row,             \
  .softmax_row = softmax_row, .rope_neox = rope_neox, .rope_interleaved = rope_interleaved,               \
  .attn_segment = {attn_segment<FloatScores<F32Cells>, F32Cells>,                                         \
                   attn_segment<FloatScores<F16Cells>, F16Cells>, attn_segment<IntegerScores, Q8Cells>,   \
                   attn_segment<FloatScores<Q8Cells>, Q8Cells>},                                          \
                                                                                                          \
  .attn_merge = attn_merge, .attn_finish = attn_finish
