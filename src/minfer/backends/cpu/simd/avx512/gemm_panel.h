// The loops of a panel product (simd/generic/gemm_panel.inl) in the words of gemm_words.h.
#pragma once

#include "backends/cpu/simd/avx512/gemm_words.h"

namespace minfer {
namespace {

#include "backends/cpu/simd/generic/gemm_panel.inl"

}  // namespace
}  // namespace minfer
