#include "base/probe/ceilings.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/limits.h"

namespace minfer {
namespace {

using test::kEmulated;

std::vector<const Int8Probe*> usable_probes() {
  const CpuFeatures all = detect_cpu_features();
  CpuFeatures better = all, good = all;
  better.avx512_vnni = better.i8mm = false;
  good.avx512_vnni = good.avx_vnni = good.i8mm = good.dotprod = false;
  std::vector<const Int8Probe*> probes;
  for (const CpuFeatures& features : {all, better, good, CpuFeatures()})
    if (probes.empty() || probes.back() != &int8_probe(features)) probes.push_back(&int8_probe(features));
  return probes;
}

TEST(Int8Probe, IsTheBestThatTheFeaturesAllow) {
  EXPECT_EQ(std::string(int8_probe({}).name), "scalar");
#if defined(__x86_64__)
  CpuFeatures features;
  features.avx2 = true;
  EXPECT_EQ(std::string(int8_probe(features).name), "avx2 vpmaddubsw");
  features.avx_vnni = true;
  EXPECT_EQ(std::string(int8_probe(features).name), "avx_vnni vpdpbusd");
  features.avx512 = features.avx512_vnni = true;
  EXPECT_EQ(std::string(int8_probe(features).name), "avx512_vnni vpdpbusd");
#elif defined(__aarch64__)
  CpuFeatures features;
  features.neon = true;
  EXPECT_EQ(std::string(int8_probe(features).name), "neon smull");
  features.dotprod = true;
  EXPECT_EQ(std::string(int8_probe(features).name), "neon_dotprod sdot");
  features.i8mm = true;
  EXPECT_EQ(std::string(int8_probe(features).name), "neon_i8mm smmla");
#endif
}

// Every product is 3 * 5, so whatever the number of accumulators and lanes, a result is a multiple of 15 and grows
// with the iterations.
TEST(Int8Probe, DoesAllItsWork) {
  for (const Int8Probe* probe : usable_probes()) {
    const int once = probe->run(1);
    EXPECT_GT(once, 0) << probe->name;
    EXPECT_EQ(once % 15, 0) << probe->name;
    EXPECT_EQ(probe->run(1000), 1000 * once) << probe->name;
  }
}

TEST(Int8Probe, FasterInstructionsAreFaster) {
  if (kEmulated) GTEST_SKIP() << "an emulator has speeds of its own";
  ThreadPool pool(1);
  const std::vector<const Int8Probe*> probes = usable_probes();
  const double best = measure_int8_rate(*probes.front(), pool);
  EXPECT_GT(best, 1e8);
  if (probes.size() == 1) GTEST_SKIP() << "there is one probe for this CPU";
  EXPECT_GT(best, 2 * measure_int8_rate(*probes.back(), pool));
}

std::vector<const FmaProbe*> usable_fma_probes() {
  const CpuFeatures all = detect_cpu_features();
  CpuFeatures avx2 = all;
  avx2.avx512 = false;
  std::vector<const FmaProbe*> probes = {&kFmaProbeScalar};
  for (const CpuFeatures& features : {avx2, all})
    if (probes.back() != &fma_probe(features)) probes.push_back(&fma_probe(features));
  return probes;
}

TEST(FmaProbe, IsTheBestThatTheFeaturesAllow) {
#if defined(__x86_64__)
  CpuFeatures features;
  EXPECT_EQ(std::string(fma_probe(features).name), "scalar");
  features.avx2 = true;
  EXPECT_EQ(std::string(fma_probe(features).name), "avx2 vfmadd");
  features.avx512 = true;
  EXPECT_EQ(std::string(fma_probe(features).name), "avx512 vfmadd");
#endif
}

// Every product is 3 * 5, so a lane of a probe holds 15 times its number of accumulators, exactly.
TEST(FmaProbe, DoesAllItsWork) {
  for (const FmaProbe* probe : usable_fma_probes()) {
    const float once = probe->run(1);
    EXPECT_GT(once, 0.0f) << probe->name;
    EXPECT_EQ(static_cast<int>(once) % 15, 0) << probe->name;
    EXPECT_EQ(static_cast<int>(probe->run(1000)), 1000 * static_cast<int>(once)) << probe->name;
  }
}

TEST(FmaProbe, MeasuresARate) {
  ThreadPool pool(2);
  const double rate = measure_fma_rate(fma_probe(detect_cpu_features()), pool);
  EXPECT_GT(rate, 1e6);
  EXPECT_LT(rate, 1e14);
}

TEST(ReadRate, IsOfMemory) {
  const std::vector<std::byte> bytes(std::size_t{16} << 20, std::byte{1});
  ThreadPool pool(2);
  const double rate = measure_read_rate(bytes, pool);
  EXPECT_GT(rate, 1e8);
  EXPECT_LT(rate, 1e13);
}

}  // namespace
}  // namespace minfer
