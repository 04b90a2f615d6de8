// How many threads to run by default: one a physical core, on no more CPUs than this process may use. One
// thread above a cgroup's quota gets all of them throttled together, so the quota counts as well as the
// affinity mask.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace minfer {

struct CpuCount {
  int logical_cpus = 1;         // in the affinity mask
  int physical_cores = 1;       // distinct cores of these; on a hybrid CPU, of its performance cores
  bool hybrid = false;          // whether slower cores were left out
  std::optional<double> quota;  // CPUs' worth of time that the cgroup and its parents allow; none: unlimited

  int default_threads() const;  // min(physical_cores, floor(quota)), at least 1
  int usable_cpus() const;      // min(logical_cpus, floor(quota)), at least 1
  // "8 threads: 8 physical cores (16 logical CPUs in the affinity mask), no cgroup quota"
  std::string why() const;
};

// Of this process, now.
CpuCount count_cpus();

// The same with the CPUs of the affinity mask given, and with files read below `root` instead of "/":
//   proc/cpuinfo                the topology (a CPU without "core id" counts as a core of its own)
//   sys/devices/cpu_core/cpus   the performance cores of a hybrid x86 CPU; where there is no such file,
//   sys/devices/system/cpu/cpuN/cpu_capacity   those of at least 60 % of the largest capacity (Arm)
//   proc/self/cgroup            the cgroup's path; then cpu.max (v2) or cpu.cfs_{quota,period}_us (v1) there
//   and in
//                               its parents up to the mount below sys/fs/cgroup
// Missing or malformed files limit nothing.
CpuCount count_cpus(const std::filesystem::path& root, std::span<const int> affinity);

// The CPUs that this process may run on; {0, 1, …} where the system has no affinity masks.
std::vector<int> affinity_mask();

}  // namespace minfer
