#include "base/cpu_features.h"

#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#if defined(__x86_64__)
#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace minfer {
namespace {

constexpr bool bit(std::uint64_t word, int index) { return (word >> index & 1) != 0; }

#if defined(__x86_64__)

struct CpuidRegisters {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// Zeros for a leaf above the highest that the CPU knows.
CpuidRegisters cpuid(std::uint32_t leaf, std::uint32_t subleaf) noexcept {
  CpuidRegisters r;
  __get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

// XGETBV as an instruction: the intrinsic would need this unit to be compiled with -mxsave.
std::uint64_t read_xcr0() noexcept {
  std::uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<std::uint64_t>(high) << 32 | low;
}

CpuidAnswers ask_cpuid() noexcept {
  CpuidAnswers answers;
  answers.leaf1_ecx = cpuid(1, 0).ecx;
  const CpuidRegisters leaf7 = cpuid(7, 0);
  answers.leaf7_ebx = leaf7.ebx;
  answers.leaf7_ecx = leaf7.ecx;
  answers.leaf7_edx = leaf7.edx;
  if (leaf7.eax >= 1) answers.leaf7_1_eax = cpuid(7, 1).eax;
  const bool osxsave = bit(answers.leaf1_ecx, 27);
  if (osxsave) answers.xcr0 = read_xcr0();
  return answers;
}

// Tiles are 8 KB of state a thread: Linux saves them only for a process that asked (Documentation/arch/x86/xstate.rst).
bool may_use_tiles() noexcept {
#if defined(__linux__)
  constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;               // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

std::string brand_string() {
  std::array<CpuidRegisters, 3> parts;
  for (std::uint32_t i = 0; i < parts.size(); ++i) parts[i] = cpuid(0x80000002U + i, 0);
  std::array<char, sizeof(parts) + 1> text{};
  std::memcpy(text.data(), parts.data(), sizeof(parts));
  return text.data();
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

#endif

}  // namespace

CpuFeatures features_from_cpuid(const CpuidAnswers& a) noexcept {
  constexpr std::uint64_t kYmmState = 0x06;  // XMM and the upper halves of YMM
  constexpr std::uint64_t kZmmState = 0xe6;  // and opmasks, upper halves of ZMM0-15, ZMM16-31
  constexpr std::uint64_t kTileState = std::uint64_t{3} << 17;
  const bool ymm_saved = (a.xcr0 & kYmmState) == kYmmState;
  const bool zmm_saved = (a.xcr0 & kZmmState) == kZmmState;
  const bool fma = bit(a.leaf1_ecx, 12), f16c = bit(a.leaf1_ecx, 29), avx2 = bit(a.leaf7_ebx, 5);
  const bool avx512_f = bit(a.leaf7_ebx, 16), avx512_dq = bit(a.leaf7_ebx, 17);
  const bool avx512_bw = bit(a.leaf7_ebx, 30), avx512_vl = bit(a.leaf7_ebx, 31);

  CpuFeatures features;
  features.avx2 = ymm_saved && avx2 && fma && f16c;
  features.avx_vnni = features.avx2 && bit(a.leaf7_1_eax, 4);
  features.avx512 = features.avx2 && zmm_saved && avx512_f && avx512_dq && avx512_bw && avx512_vl;
  features.avx512_vbmi = features.avx512 && bit(a.leaf7_ecx, 1);
  features.avx512_vnni = features.avx512 && bit(a.leaf7_ecx, 11);
  features.avx512_bf16 = features.avx512 && bit(a.leaf7_1_eax, 5);
  const bool tiles_saved = (a.xcr0 & kTileState) == kTileState;
  features.amx_int8 = features.avx512_vnni && tiles_saved && bit(a.leaf7_edx, 24) && bit(a.leaf7_edx, 25);
  return features;
}

CpuFeatures detect_cpu_features() noexcept {
#if defined(__x86_64__)
  CpuFeatures features = features_from_cpuid(ask_cpuid());
  if (features.amx_int8) features.amx_int8 = may_use_tiles();
  return features;
#elif defined(__aarch64__)
  CpuFeatures features;
  features.neon = true;
#if defined(__linux__)
  features.dotprod = (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
  features.i8mm = (getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0;
#else
  features.dotprod = true;  // every Apple core that runs this system has it; i8mm came later
#endif
  return features;
#else
  return {};
#endif
}

CpuFeatures allowed_cpu_features(CpuFeatures found, const Levers& levers) noexcept {
  if (levers.no_avx2) found.avx2 = found.avx_vnni = false;
  if (levers.no_avx2 || levers.no_avx512) {
    found.avx512 = found.avx512_vnni = found.avx512_vbmi = found.avx512_bf16 = found.amx_int8 = false;
  }
  if (levers.no_amx) found.amx_int8 = false;
  if (levers.no_neon) found.neon = found.dotprod = found.i8mm = false;
  return found;
}

std::string to_string(const CpuFeatures& f) {
  const std::pair<bool, std::string_view> flags[] = {{f.avx2, "avx2"},
                                                     {f.avx_vnni, "avx_vnni"},
                                                     {f.avx512, "avx512"},
                                                     {f.avx512_vnni, "avx512_vnni"},
                                                     {f.avx512_vbmi, "avx512_vbmi"},
                                                     {f.avx512_bf16, "avx512_bf16"},
                                                     {f.amx_int8, "amx_int8"},
                                                     {f.neon, "neon"},
                                                     {f.dotprod, "dotprod"},
                                                     {f.i8mm, "i8mm"}};
  std::string text;
  for (const auto& [set, name] : flags) {
    if (!set) continue;
    if (!text.empty()) text += ' ';
    text += name;
  }
  return text.empty() ? "baseline" : text;
}

std::string cpu_name() {
#if defined(__x86_64__)
  const std::string brand = brand_string();
  const std::string_view name = trim(brand);
  return name.empty() ? "x86_64" : std::string(name);
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "unknown";
#endif
}

}  // namespace minfer
