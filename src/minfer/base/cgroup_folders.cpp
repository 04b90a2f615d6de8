#include "base/cgroup_folders.h"

#include <fstream>
#include <sstream>
#include <string>

namespace minfer {
namespace {

namespace fs = std::filesystem;

// mount itself, then mount/path and its parents.
void add_up_to(const fs::path& mount, const fs::path& path, std::vector<fs::path>& folders) {
  folders.push_back(mount);
  fs::path folder = path.lexically_normal().relative_path();
  for (; !folder.empty(); folder = folder.parent_path()) folders.push_back(mount / folder);
}

bool lists(const std::string& controllers, std::string_view wanted) {
  std::istringstream list(controllers);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == wanted) return true;
  }
  return false;
}

}  // namespace

CgroupFolders cgroup_folders(const fs::path& root, std::string_view controller) {
  const fs::path mounts = root / "sys/fs/cgroup";
  std::ifstream file(root / "proc/self/cgroup");
  CgroupFolders folders;
  for (std::string line; std::getline(file, line);) {  // hierarchy-ID:controller-list:cgroup-path
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path path = line.substr(second + 1);
    if (controllers.empty()) {
      for (const char* mount : {".", "unified"})  // alone, or beside v1 hierarchies
        add_up_to(mounts / mount, path, folders.v2);
    } else if (lists(controllers, controller)) {
      add_up_to(mounts / controller, path, folders.v1);
      if (controllers != controller) add_up_to(mounts / controllers, path, folders.v1);
    }
  }
  return folders;
}

}  // namespace minfer
