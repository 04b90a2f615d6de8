#include "base/system_memory.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/data.h"

namespace minfer {
namespace {

namespace fs = std::filesystem;

class SystemMemoryTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(root_); }
  ~SystemMemoryTest() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  SystemMemory memory() const { return system_memory(root_); }

  const fs::path root_ = test::scratch_folder() / "system_memory";
};

TEST_F(SystemMemoryTest, IsWhatMeminfoSays) {
  write("proc/meminfo",
        "MemTotal:       1000 kB\nMemFree: 1 kB\nMemAvailable:    600 kB\nHugePages_Total: 0\n");
  EXPECT_EQ(memory().total_bytes, 1000u * 1024);
  EXPECT_EQ(memory().available_bytes, 600u * 1024);
  EXPECT_EQ(memory().group_bytes, std::nullopt);
  EXPECT_EQ(memory().usable_bytes(), 600u * 1024);
}

TEST_F(SystemMemoryTest, TheTightestGroupLimitsIt) {
  write("proc/meminfo", "MemAvailable: 100 kB\n");
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/b/memory.max", "max\n");
  write("sys/fs/cgroup/a/b/memory.current", "7\n");
  EXPECT_EQ(memory().group_bytes, std::nullopt);
  write("sys/fs/cgroup/a/memory.max", "50000\n");
  write("sys/fs/cgroup/a/memory.current", "30000\n");
  EXPECT_EQ(memory().group_bytes, 20000u);
  EXPECT_EQ(memory().usable_bytes(), 20000u);
  write("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 4000\nfile 9\n");
  EXPECT_EQ(memory().group_bytes, 24000u) << "cache can be dropped";
  write("sys/fs/cgroup/a/memory.current", "60000\n");
  EXPECT_EQ(memory().group_bytes, 0u) << "above the limit";
}

TEST_F(SystemMemoryTest, ReadsVersion1) {
  write("proc/self/cgroup", "5:cpu:/other\n4:memory:/job\n0::/\n");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");  // no limit
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "5000\n");
  EXPECT_EQ(memory().group_bytes, std::nullopt);
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "8000\n");
  write("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 1000\n");
  EXPECT_EQ(memory().group_bytes, 4000u);
}

TEST_F(SystemMemoryTest, MalformedFilesLimitNothing) {
  write("proc/meminfo", "MemAvailable: lots\nMemTotal:\n\n:\n");
  write("proc/self/cgroup", "0::/job\n");
  for (const char* text : {"", "many", "-", ":"}) {
    write("sys/fs/cgroup/job/memory.max", text);
    write("sys/fs/cgroup/job/memory.current", "5\n");
    EXPECT_EQ(memory().group_bytes, std::nullopt) << text;
  }
  EXPECT_EQ(memory().total_bytes, 0u);
}

TEST_F(SystemMemoryTest, NamesTheModeOfHugePages) {
  EXPECT_EQ(huge_page_mode(root_), "");
  for (const char* text : {"always [madvise] never\n", "[madvise]", "x y [madvise]"}) {
    write("sys/kernel/mm/transparent_hugepage/enabled", text);
    EXPECT_EQ(huge_page_mode(root_), "madvise") << text;
  }
  for (const char* text : {"", "always", "[]", "["}) {
    write("sys/kernel/mm/transparent_hugepage/enabled", text);
    EXPECT_EQ(huge_page_mode(root_), "") << text;
  }
}

TEST_F(SystemMemoryTest, ListsNumaNodesByNumber) {
  EXPECT_TRUE(numa_nodes(root_).empty());
  for (const char* id : {"10", "2", "0", "x", "", "-1", "99999999999"})
    write("sys/devices/system/node/node" + std::string(id) + "/cpulist", "0-1\n");
  write("sys/devices/system/node/online", "0,2,10\n");
  write("sys/devices/system/node/node2/meminfo", "\nNode 2 MemTotal:        2048 kB\nNode 2 MemFree: 1 kB\n");
  const std::vector<NumaNode> nodes = numa_nodes(root_);
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[0].id, 0);
  EXPECT_EQ(nodes[1].id, 2);
  EXPECT_EQ(nodes[2].id, 10);
  EXPECT_EQ(nodes[1].cpus, "0-1");
  EXPECT_EQ(nodes[1].total_bytes, 2048u * 1024);
}

TEST(SystemMemory, OfThisMachineIsThere) {
  const SystemMemory memory = system_memory();
  EXPECT_GT(memory.total_bytes, 0u);
  EXPECT_GT(memory.usable_bytes(), 0u);
  EXPECT_LE(memory.available_bytes, memory.total_bytes);
}

}  // namespace
}  // namespace minfer
