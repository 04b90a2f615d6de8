#include "base/cgroup_quota.h"

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace minfer {
namespace {

namespace fs = std::filesystem;
using Quota = std::optional<double>;

Quota smaller(Quota a, Quota b) {
  if (!a || !b) return a ? a : b;
  return *a < *b ? a : b;
}

Quota ratio(double quota, double period) {
  if (quota <= 0 || period <= 0) return std::nullopt;  // v1 writes -1 for "no limit"
  return quota / period;
}

// "200000 100000" or "max 100000".
Quota read_v2(const fs::path& folder) {
  std::ifstream file(folder / "cpu.max");
  double quota = 0, period = 0;
  if (!(file >> quota >> period)) return std::nullopt;
  return ratio(quota, period);
}

Quota read_v1(const fs::path& folder) {
  std::ifstream quota_file(folder / "cpu.cfs_quota_us"), period_file(folder / "cpu.cfs_period_us");
  double quota = 0, period = 0;
  if (!(quota_file >> quota) || !(period_file >> period)) return std::nullopt;
  return ratio(quota, period);
}

// Of mount/path, then its parents down to mount itself. In a container whose cgroup is mounted as the root,
// `path` may name folders that only the host has: they are missing here, and the mount's own files have the
// limit.
template <typename Read>
Quota smallest_up_to(const fs::path& mount, const fs::path& path, Read read) {
  fs::path folder = path.lexically_normal().relative_path();
  Quota smallest = read(mount);
  for (; !folder.empty(); folder = folder.parent_path()) {
    smallest = smaller(smallest, read(mount / folder));
  }
  return smallest;
}

bool lists_cpu(const std::string& controllers) {
  std::istringstream list(controllers);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == "cpu") return true;
  }
  return false;
}

}  // namespace

Quota cgroup_cpu_quota(const fs::path& root) {
  const fs::path mounts = root / "sys/fs/cgroup";
  std::ifstream file(root / "proc/self/cgroup");
  Quota smallest;
  for (std::string line; std::getline(file, line);) {  // hierarchy-ID:controller-list:cgroup-path
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path path = line.substr(second + 1);
    if (controllers.empty()) {
      for (const char* mount : {".", "unified"}) {  // alone, or beside v1 hierarchies
        smallest = smaller(smallest, smallest_up_to(mounts / mount, path, read_v2));
      }
    } else if (lists_cpu(controllers)) {
      for (const std::string& mount : {std::string("cpu"), controllers}) {
        smallest = smaller(smallest, smallest_up_to(mounts / mount, path, read_v1));
      }
    }
  }
  return smallest;
}

}  // namespace minfer
