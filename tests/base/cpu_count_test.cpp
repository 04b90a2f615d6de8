#include "base/cpu_count.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <thread>

#include "base/cgroup_quota.h"
#include "support/data.h"

namespace minfer {
namespace {

namespace fs = std::filesystem;

// A root folder with only the files that a test writes.
class CpuCountTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(root_); }
  ~CpuCountTest() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  // Two hyper-threads a core, as Linux numbers them: CPUs c and c + n_cores share core c.
  void write_hyper_threaded_cpuinfo(int n_cores) {
    std::string text;
    for (int cpu = 0; cpu < 2 * n_cores; ++cpu) {
      text += "processor\t: " + std::to_string(cpu) +
              "\nmodel name\t: Some CPU @ 2.0GHz\nphysical id\t: 0\ncore id\t\t: " +
              std::to_string(cpu % n_cores) + "\n\n";
    }
    write("proc/cpuinfo", text);
  }

  CpuCount count(std::vector<int> affinity) const { return count_cpus(root_, affinity); }

  const fs::path root_ = test::scratch_folder() / "cpu_count";
};

TEST_F(CpuCountTest, HyperThreadsOfACoreCountOnce) {
  write_hyper_threaded_cpuinfo(4);
  EXPECT_EQ(count({0, 1, 2, 3, 4, 5, 6, 7}).default_threads(), 4);
  EXPECT_EQ(count({0, 1, 2, 3, 4, 5, 6, 7}).usable_cpus(), 8);
  EXPECT_EQ(count({0, 4}).default_threads(), 1) << "both are core 0";
  EXPECT_EQ(count({0, 4, 5}).default_threads(), 2);
}

TEST_F(CpuCountTest, SameCoreNumberOnTwoSocketsIsTwoCores) {
  write("proc/cpuinfo",
        "processor : 0\nphysical id : 0\ncore id : 0\n\nprocessor : 1\nphysical id : 1\ncore id : 0\n");
  EXPECT_EQ(count({0, 1}).physical_cores, 2);
}

TEST_F(CpuCountTest, WithoutTopologyEachCpuIsACore) {
  EXPECT_EQ(count({0, 1, 5}).default_threads(), 3);
  write("proc/cpuinfo",
        "processor\t: 0\nBogoMIPS\t: 50.00\n\nprocessor\t: 1\nBogoMIPS\t: 50.00\n");  // aarch64
  EXPECT_EQ(count({0, 1}).default_threads(), 2);
  write("proc/cpuinfo", "processor\t:\ncore id\t: x\n:\n\n");
  EXPECT_EQ(count({0, 1}).default_threads(), 2);
}

TEST_F(CpuCountTest, OnlyPerformanceCoresOfAHybridCpu) {
  write("sys/devices/cpu_core/cpus", "0-1,4\n");
  EXPECT_EQ(count({0, 1, 2, 3, 4, 5}).default_threads(), 3);
  EXPECT_EQ(count({0, 1, 2, 3, 4, 5}).logical_cpus, 6);
  EXPECT_EQ(count({2, 3}).default_threads(), 2) << "only others are allowed: use them";
}

TEST_F(CpuCountTest, OnlyCapableCoresOfAnArmCpu) {
  const auto set_capacity = [&](int cpu, const char* capacity) {
    write("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpu_capacity", capacity);
  };
  for (const int cpu : {0, 1, 2, 3}) set_capacity(cpu, "250\n");
  for (const int cpu : {4, 5, 6}) set_capacity(cpu, "870\n");
  set_capacity(7, "1024\n");
  EXPECT_EQ(count({0, 1, 2, 3, 4, 5, 6, 7}).default_threads(), 4);
  EXPECT_EQ(count({0, 1, 2, 3, 4, 5, 6, 7}).why(),
            "4 threads: 4 performance cores (8 logical CPUs in the affinity mask), no cgroup quota");
  EXPECT_EQ(count({0, 1, 2}).default_threads(), 3) << "only little ones are allowed: use them";
  EXPECT_FALSE(count({0, 1, 2}).hybrid);
  set_capacity(7, "lots\n");
  EXPECT_EQ(count({0, 1, 2, 3, 4, 5, 6, 7}).default_threads(), 8) << "nothing is known of one";
}

TEST_F(CpuCountTest, QuotaRoundsDownButNotToZero) {
  write("proc/self/cgroup", "0::/job\n");
  write("sys/fs/cgroup/job/cpu.max", "250000 100000\n");
  EXPECT_DOUBLE_EQ(count({0, 1, 2, 3}).quota.value(), 2.5);
  EXPECT_EQ(count({0, 1, 2, 3}).default_threads(), 2);
  EXPECT_EQ(count({0, 1, 2, 3}).usable_cpus(), 2);
  EXPECT_EQ(count({0}).default_threads(), 1);
  write("sys/fs/cgroup/job/cpu.max", "50000 100000\n");
  EXPECT_EQ(count({0, 1, 2, 3}).default_threads(), 1);
}

TEST_F(CpuCountTest, TightestQuotaOfGroupAndParentsHolds) {
  write("proc/self/cgroup", "0::/a/b/c\n");
  write("sys/fs/cgroup/a/cpu.max", "300000 100000\n");
  write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/a/b/c/cpu.max", "600000 100000\n");
  EXPECT_DOUBLE_EQ(cgroup_cpu_quota(root_).value(), 3.0);
}

TEST_F(CpuCountTest, FindsTheLimitOfAContainerAtItsMount) {
  write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  for (const char* path : {"/", "/host/only/path", "/../../sibling"}) {
    write("proc/self/cgroup", std::string("0::") + path + "\n");
    EXPECT_DOUBLE_EQ(cgroup_cpu_quota(root_).value(), 2.0) << path;
  }
}

TEST_F(CpuCountTest, ReadsVersion1InEitherMount) {
  write("proc/self/cgroup", "12:memory:/m\n4:cpu,cpuacct:/docker/x\n1:name=systemd:/init\n0::/\n");
  write("sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "150000\n");
  write("sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us", "50000\n");
  write("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(cgroup_cpu_quota(root_).value(), 3.0);
  write("sys/fs/cgroup/cpu/docker/x/cpu.cfs_quota_us", "100000\n");
  write("sys/fs/cgroup/cpu/docker/x/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(cgroup_cpu_quota(root_).value(), 1.0);
}

TEST_F(CpuCountTest, MissingAndMalformedFilesLimitNothing) {
  EXPECT_EQ(cgroup_cpu_quota(root_), std::nullopt);
  write("proc/self/cgroup", "no colons\n0::/job\n7:cpuset:/job\n");
  EXPECT_EQ(cgroup_cpu_quota(root_), std::nullopt);
  for (const char* text : {"", "max 100000", "100000", "-5 100000", "100000 0", "many 1"}) {
    write("sys/fs/cgroup/job/cpu.max", text);
    EXPECT_EQ(cgroup_cpu_quota(root_), std::nullopt) << text;
  }
}

TEST_F(CpuCountTest, SaysWhy) {
  write_hyper_threaded_cpuinfo(4);
  EXPECT_EQ(count({0, 1, 2, 3, 4, 5, 6, 7}).why(),
            "4 threads: 4 physical cores (8 logical CPUs in the affinity mask), no cgroup quota");
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(count({0}).why(),
            "1 thread: 1 physical core (1 logical CPU in the affinity mask), a cgroup quota of 1.50 CPUs");
}

TEST(CpuCount, OfThisProcessIsWithinItsMask) {
  const CpuCount count = count_cpus();
  EXPECT_EQ(count.logical_cpus,
            static_cast<int>(std::thread::hardware_concurrency()));  // glibc asks the mask too
  EXPECT_GE(count.default_threads(), 1);
  EXPECT_LE(count.default_threads(), count.logical_cpus);
}

}  // namespace
}  // namespace minfer
