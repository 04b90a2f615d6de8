// Main memory as this process sees it: how much is left, in which pages it can come, and how it is spread over NUMA
// nodes. Files are read below `root`, "/" for this machine; missing or malformed ones limit nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace minfer {

struct SystemMemory {
  std::uint64_t total_bytes = 0;      // MemTotal of proc/meminfo (man 5 proc); 0 where there is no such file
  std::uint64_t available_bytes = 0;  // MemAvailable: free, or cache that can be dropped
  // What the memory limits of the cgroup and its parents leave, cache that can be dropped included; none: unlimited.
  std::optional<std::uint64_t> group_bytes;

  std::uint64_t usable_bytes() const;  // the smaller of the two
};

// v2: memory.max, memory.current, memory.stat (Linux Documentation/admin-guide/cgroup-v2.rst); v1:
// memory.limit_in_bytes, memory.usage_in_bytes, memory.stat (cgroup-v1/memory.rst).
SystemMemory system_memory(const std::filesystem::path& root = "/");

// "always", "madvise" or "never" of sys/kernel/mm/transparent_hugepage/enabled; empty where there is none.
std::string huge_page_mode(const std::filesystem::path& root = "/");

struct NumaNode {
  int id = 0;
  std::string cpus;  // "0-15,32-47"
  std::uint64_t total_bytes = 0;
};
// Of sys/devices/system/node, by id; empty where the system tells none.
std::vector<NumaNode> numa_nodes(const std::filesystem::path& root = "/");

}  // namespace minfer
