// The float matrix product (simd/generic/matmul_floats.inl) in scalar words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/cpu/matmul/matmul_kernels.h"
#include "backends/cpu/simd/prefetch.h"
#include "backends/cpu/simd/scalar/words.h"

namespace minfer {
namespace {

#include "backends/cpu/simd/generic/matmul_floats.inl"

}  // namespace
}  // namespace minfer
