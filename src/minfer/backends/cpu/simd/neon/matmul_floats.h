// The float matrix product (simd/generic/matmul_floats.inl) in NEON words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/cpu/matmul/matmul_kernels.h"
#include "backends/cpu/simd/neon/words.h"
#include "backends/cpu/simd/prefetch.h"

namespace minfer {
namespace {

#include "backends/cpu/simd/generic/matmul_floats.inl"

}  // namespace
}  // namespace minfer
