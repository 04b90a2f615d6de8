#include "backends/cpu/simd/isa.h"

#include <array>

#include "base/check.h"

namespace minfer {
namespace {

struct IsaUnits {
  CpuIsa isa;
  std::string_view name;
  const CpuKernels* kernels;
  bool (*usable)(const CpuFeatures& features);
};

// Worst first.
constexpr auto kUnits = std::to_array<IsaUnits>({
  {CpuIsa::kScalar, "scalar", &kScalarKernels, [](const CpuFeatures&) { return true; }},
#if defined(__x86_64__)
      {CpuIsa::kAvx2, "avx2", &kAvx2Kernels, [](const CpuFeatures& features) { return features.avx2; }},
      {CpuIsa::kAvxVnni, "avx_vnni", &kAvxVnniKernels,
       [](const CpuFeatures& features) { return features.avx_vnni; }},
      {CpuIsa::kAvx512, "avx512", &kAvx512Kernels,
       [](const CpuFeatures& features) { return features.avx512_vnni; }},
      {CpuIsa::kAmx, "amx", &kAmxKernels, [](const CpuFeatures& features) { return features.amx_int8; }},
#elif defined(__aarch64__)
      {CpuIsa::kNeon, "neon", &kNeonKernels, [](const CpuFeatures& features) { return features.neon; }},
      {CpuIsa::kNeonDotprod, "neon_dotprod", &kNeonDotprodKernels,
       [](const CpuFeatures& features) { return features.dotprod; }},
      {CpuIsa::kNeonI8mm, "neon_i8mm", &kNeonI8mmKernels,
       [](const CpuFeatures& features) { return features.dotprod && features.i8mm; }},
#endif
});

const IsaUnits& units(CpuIsa isa) {
  for (const IsaUnits& candidate : kUnits) {
    if (candidate.isa == isa) return candidate;
  }
  throw InternalError(
      fmt::format("this binary has no kernels for instruction set {}", static_cast<int>(isa)));
}

}  // namespace

std::string_view isa_name(CpuIsa isa) { return units(isa).name; }

std::vector<CpuIsa> usable_isas(const CpuFeatures& features) {
  std::vector<CpuIsa> result;
  for (const IsaUnits& candidate : kUnits) {
    if (candidate.usable(features)) result.push_back(candidate.isa);
  }
  return result;
}

const CpuKernels& cpu_kernels(CpuIsa isa) { return *units(isa).kernels; }

}  // namespace minfer
