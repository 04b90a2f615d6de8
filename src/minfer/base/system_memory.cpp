#include "base/system_memory.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include "base/cgroup_folders.h"

namespace minfer {
namespace {

namespace fs = std::filesystem;
using Bytes = std::optional<std::uint64_t>;

Bytes read_number(const fs::path& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (!(file >> value)) return std::nullopt;  // "max" of v2
  return value;
}

// Lines "KEY VALUE"; others are left out.
std::map<std::string, std::uint64_t> read_keys(const fs::path& path) {
  std::map<std::string, std::uint64_t> values;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    std::uint64_t value = 0;
    if (words >> key >> value) values[key] = value;
  }
  return values;
}

std::uint64_t value_of(const std::map<std::string, std::uint64_t>& values, const char* key) {
  const auto found = values.find(key);
  return found == values.end() ? 0 : found->second;
}

struct LimitFiles {
  const char* limit;
  const char* usage;
  const char* cache;  // in memory.stat: file pages that were not used lately
};

Bytes left_in(const fs::path& folder, const LimitFiles& files) {
  const Bytes limit = read_number(folder / files.limit);
  const Bytes usage = read_number(folder / files.usage);
  // v1 writes a number near 2^63 where nothing is limited.
  if (!limit || !usage || *limit >= std::uint64_t{1} << 62) return std::nullopt;
  const std::uint64_t cache = value_of(read_keys(folder / "memory.stat"), files.cache);
  const std::uint64_t held = *usage - std::min(*usage, cache);
  return *limit - std::min(*limit, held);
}

Bytes smallest_left(const std::vector<fs::path>& folders, const LimitFiles& files) {
  Bytes smallest;
  for (const fs::path& folder : folders) {
    const Bytes left = left_in(folder, files);
    if (left && (!smallest || *left < *smallest)) smallest = left;
  }
  return smallest;
}

// "Node 0 MemTotal:       24571652 kB"
std::uint64_t node_bytes(const fs::path& folder) {
  std::ifstream file(folder / "meminfo");
  for (std::string word; file >> word;) {
    std::uint64_t kib = 0;
    if (word == "MemTotal:" && file >> kib) return kib * 1024;
  }
  return 0;
}

Bytes node_number(const std::string& name) {
  constexpr std::string_view kPrefix = "node";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  std::uint32_t id = 0;
  const char* last = name.data() + name.size();
  const auto [end, error] = std::from_chars(name.data() + kPrefix.size(), last, id);
  if (error != std::errc() || end != last || id >= 1u << 16) return std::nullopt;
  return id;
}

}  // namespace

std::uint64_t SystemMemory::usable_bytes() const {
  return group_bytes ? std::min(*group_bytes, available_bytes) : available_bytes;
}

SystemMemory system_memory(const fs::path& root) {
  const auto meminfo = read_keys(root / "proc/meminfo");
  SystemMemory memory;
  memory.total_bytes = value_of(meminfo, "MemTotal:") * 1024;
  memory.available_bytes = value_of(meminfo, "MemAvailable:") * 1024;
  const CgroupFolders folders = cgroup_folders(root, "memory");
  const Bytes v2 = smallest_left(folders.v2, {"memory.max", "memory.current", "inactive_file"});
  const Bytes v1 =
      smallest_left(folders.v1, {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"});
  memory.group_bytes = v1 && v2 ? std::min(v1, v2) : v1 ? v1 : v2;
  return memory;
}

std::string huge_page_mode(const fs::path& root) {
  std::ifstream file(root / "sys/kernel/mm/transparent_hugepage/enabled");
  for (std::string word; file >> word;)
    if (word.size() > 2 && word.front() == '[' && word.back() == ']') return word.substr(1, word.size() - 2);
  return {};
}

std::vector<NumaNode> numa_nodes(const fs::path& root) {
  std::vector<NumaNode> nodes;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "sys/devices/system/node", error)) {
    const Bytes id = node_number(entry.path().filename());
    if (!id) continue;
    NumaNode node;
    node.id = static_cast<int>(*id);
    std::ifstream file(entry.path() / "cpulist");
    std::getline(file, node.cpus);
    node.total_bytes = node_bytes(entry.path());
    nodes.push_back(node);
  }
  std::sort(nodes.begin(), nodes.end(), [](const NumaNode& a, const NumaNode& b) { return a.id < b.id; });
  return nodes;
}

}  // namespace minfer
