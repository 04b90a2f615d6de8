// What this machine's CPU can do, asked at run time: one binary runs on every CPU of its architecture and
// picks its kernels by this. The unit itself is compiled for the baseline.
#pragma once

#include <cstdint>
#include <string>

#include "base/levers.h"

namespace minfer {

// A flag is set only when the CPU has the instructions and the operating system saves the registers they use (Linux:
// of AMX, when it lets this process use them, for which it is asked).
// Each x86 tier implies the ones before it. Flags of the other architecture are false.
struct CpuFeatures {
  bool avx2 = false;         // AVX2, FMA and F16C       (-mavx2 -mfma -mf16c)
  bool avx_vnni = false;     // avx2 and AVX-VNNI        (-mavxvnni)
  bool avx512 = false;       // avx2 and AVX-512 F BW VL DQ
  bool avx512_vnni = false;  // avx512 and the named extension, also below
  bool avx512_vbmi = false;
  bool avx512_bf16 = false;
  bool amx_int8 = false;  // avx512_vnni, AMX tiles and AMX-INT8 (-mamx-tile -mamx-int8)
  bool neon = false;      // always there on aarch64
  bool dotprod = false;
  bool i8mm = false;
  bool operator==(const CpuFeatures&) const = default;
};

// Of the CPU this runs on. Cheap enough to call at start, not in a loop.
CpuFeatures detect_cpu_features() noexcept;
// `found` without what MINFER_NO_AVX2, MINFER_NO_AVX512, MINFER_NO_AMX and MINFER_NO_NEON switch off.
CpuFeatures allowed_cpu_features(CpuFeatures found, const Levers& levers) noexcept;
// "avx2 avx512 avx512_vnni", or "baseline" when nothing is set.
std::string to_string(const CpuFeatures& features);
// As the CPU calls itself ("AMD EPYC 9B14"), or the architecture's name where it has none.
std::string cpu_name();

// The raw answers of an x86 CPU (Intel SDM vol. 2A, CPUID; XCR0: vol. 1, 13.3). Leaves that the CPU does not
// have are 0, and so is xcr0 without OSXSAVE.
struct CpuidAnswers {
  std::uint32_t leaf1_ecx = 0;
  std::uint32_t leaf7_ebx = 0;
  std::uint32_t leaf7_ecx = 0;
  std::uint32_t leaf7_edx = 0;
  std::uint32_t leaf7_1_eax = 0;
  std::uint64_t xcr0 = 0;
};
CpuFeatures features_from_cpuid(const CpuidAnswers& answers) noexcept;

}  // namespace minfer
