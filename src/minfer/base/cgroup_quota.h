// The CPU time that control groups (Linux cgroup v1 and v2) grant this process.
#pragma once

#include <filesystem>
#include <optional>

namespace minfer {

// The smallest quota, in CPUs, of the process's cgroup and its parents; nothing when none is set. Reads
// ROOT/proc/self/cgroup and files below ROOT/sys/fs/cgroup (man 7 cgroups; Linux Documentation/admin-guide/
// cgroup-v2.rst, "cpu.max", and scheduler/sched-bwc.rst); missing or malformed ones are ignored.
std::optional<double> cgroup_cpu_quota(const std::filesystem::path& root);

}  // namespace minfer
