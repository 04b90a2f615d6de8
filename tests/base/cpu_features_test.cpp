#include "base/cpu_features.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

namespace minfer {
namespace {

constexpr std::uint32_t bits(std::initializer_list<int> indices) {
  std::uint32_t word = 0;
  for (const int index : indices) word |= std::uint32_t{1} << index;
  return word;
}

// A CPU with everything, on a system that saves every register.
CpuidAnswers everything() {
  return {.leaf1_ecx = bits({12, 27, 28, 29}),
          .leaf7_ebx = bits({5, 16, 17, 30, 31}),
          .leaf7_ecx = bits({1, 11}),
          .leaf7_edx = bits({24, 25}),
          .leaf7_1_eax = bits({4, 5}),
          .xcr0 = 0x600e7};
}

TEST(CpuFeatures, DecodesCpuid) {
  const CpuFeatures all = features_from_cpuid(everything());
  EXPECT_EQ(to_string(all), "avx2 avx_vnni avx512 avx512_vnni avx512_vbmi avx512_bf16 amx_int8");
  EXPECT_EQ(to_string(features_from_cpuid({})), "baseline");
}

TEST(CpuFeatures, TierNeedsEveryInstructionOfIt) {
  CpuidAnswers no_f16c = everything();
  no_f16c.leaf1_ecx &= ~bits({29});
  EXPECT_EQ(features_from_cpuid(no_f16c), CpuFeatures{}) << "AVX2 without F16C is below the tier";

  CpuidAnswers no_avx512_bw = everything();
  no_avx512_bw.leaf7_ebx &= ~bits({30});
  EXPECT_EQ(to_string(features_from_cpuid(no_avx512_bw)), "avx2 avx_vnni");
}

TEST(CpuFeatures, NeedsTheSystemToSaveTheRegisters) {
  CpuidAnswers answers = everything();
  answers.xcr0 = 0xe7;
  EXPECT_FALSE(features_from_cpuid(answers).amx_int8);
  EXPECT_TRUE(features_from_cpuid(answers).avx512_vnni);
  answers.xcr0 = 0x07;
  EXPECT_EQ(to_string(features_from_cpuid(answers)), "avx2 avx_vnni");
  answers.xcr0 = 0x03;
  EXPECT_EQ(features_from_cpuid(answers), CpuFeatures{});
}

TEST(CpuFeatures, LeversSwitchTiersOff) {
  const CpuFeatures all = features_from_cpuid(everything());
  Levers levers;
  EXPECT_EQ(allowed_cpu_features(all, levers), all);
  levers.no_avx512 = true;
  EXPECT_EQ(to_string(allowed_cpu_features(all, levers)), "avx2 avx_vnni");
  levers = {};
  levers.no_amx = true;
  EXPECT_EQ(to_string(allowed_cpu_features(all, levers)),
            "avx2 avx_vnni avx512 avx512_vnni avx512_vbmi avx512_bf16");
  levers = {};
  levers.no_avx2 = true;
  EXPECT_EQ(allowed_cpu_features(all, levers), CpuFeatures{});
  levers = {};
  levers.no_neon = true;
  EXPECT_EQ(allowed_cpu_features({.neon = true, .dotprod = true, .i8mm = true}, levers), CpuFeatures{});
}

#if defined(__linux__) && defined(__x86_64__)
// The kernel's own list is the oracle.
TEST(CpuFeatures, AgreeWithTheKernel) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::set<std::string> flags;
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.starts_with("flags")) {
      std::istringstream words(line);
      flags.insert(std::istream_iterator<std::string>(words), {});
      break;
    }
  }
  if (flags.empty()) GTEST_SKIP() << "/proc/cpuinfo lists no flags here";
  const auto has = [&](std::initializer_list<const char*> wanted) {
    for (const char* flag : wanted) {
      if (!flags.contains(flag)) return false;
    }
    return true;
  };
  const CpuFeatures found = detect_cpu_features();
  EXPECT_EQ(found.avx2, has({"avx2", "fma", "f16c"}));
  EXPECT_EQ(found.avx512, found.avx2 && has({"avx512f", "avx512bw", "avx512vl", "avx512dq"}));
  EXPECT_EQ(found.avx_vnni, found.avx2 && has({"avx_vnni"}));
  EXPECT_EQ(found.avx512_vnni, found.avx512 && has({"avx512_vnni"}));
  EXPECT_EQ(found.avx512_vbmi, found.avx512 && has({"avx512vbmi"}));
  EXPECT_EQ(found.avx512_bf16, found.avx512 && has({"avx512_bf16"}));
}
#endif

// The kernel's name is no oracle for it: on virtual machines /proc/cpuinfo may show another than the processor does.
TEST(CpuName, IsOneTrimmedLine) {
  const std::string name = cpu_name();
  ASSERT_FALSE(name.empty());
  for (const unsigned char c : name) EXPECT_TRUE(c >= 0x20 && c < 0x7F) << int{c};
  EXPECT_EQ(name, name.substr(0, name.find_last_not_of(' ') + 1));
  EXPECT_NE(name.front(), ' ');
}

}  // namespace
}  // namespace minfer
