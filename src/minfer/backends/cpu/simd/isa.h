// Which instruction sets this binary has kernels for, and which of them the machine can run.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "backends/cpu/simd/kernels.h"
#include "base/cpu_features.h"

namespace minfer {

// Worst to best of each architecture. kAvxVnni: AVX2 and vpdpbusd on 256 bits. kAvx512: AVX-512 F, BW, VL, DQ and VNNI.
// kAmx: the same kernels, but AMX-INT8 for the products of many tokens. kNeonDotprod: also SDOT (ARMv8.2); kNeonI8mm:
// the same kernels, but SMMLA (ARMv8.6) for the products of many tokens.
enum class CpuIsa { kScalar, kAvx2, kAvxVnni, kAvx512, kAmx, kNeon, kNeonDotprod, kNeonI8mm };

// "scalar", "avx2", "avx_vnni", "avx512", "amx", "neon", "neon_dotprod", "neon_i8mm"
std::string_view isa_name(CpuIsa isa);
// The instruction sets that both this binary and a machine with these features have, worst first: never
// empty.
std::vector<CpuIsa> usable_isas(const CpuFeatures& features);
// REQUIRES: the binary has units for it (usable_isas).
const CpuKernels& cpu_kernels(CpuIsa isa);

}  // namespace minfer
