#include "base/cgroup_quota.h"

#include <fstream>

#include "base/cgroup_folders.h"

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

}  // namespace

Quota cgroup_cpu_quota(const fs::path& root) {
  const CgroupFolders folders = cgroup_folders(root, "cpu");
  Quota smallest;
  for (const fs::path& folder : folders.v2) smallest = smaller(smallest, read_v2(folder));
  for (const fs::path& folder : folders.v1) smallest = smaller(smallest, read_v1(folder));
  return smallest;
}

}  // namespace minfer
