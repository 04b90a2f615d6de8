// Where the kernel keeps the limits of this process's control groups (Linux cgroup v1 and v2).
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace minfer {

// The folders of the process's cgroup and of its parents up to the mount, for one controller. Some may not exist.
struct CgroupFolders {
  std::vector<std::filesystem::path> v2;
  std::vector<std::filesystem::path> v1;
};

// Reads ROOT/proc/self/cgroup; the folders are below ROOT/sys/fs/cgroup (man 7 cgroups). In a container whose cgroup is
// mounted as the root, the path may name folders that only the host has: the mount's own are then the limits.
CgroupFolders cgroup_folders(const std::filesystem::path& root, std::string_view controller);

}  // namespace minfer
