#include "base/cpu_count.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "base/cgroup_quota.h"

#if defined(__linux__)
#include <sched.h>
#endif

namespace minfer {
namespace {

namespace fs = std::filesystem;
using Core = std::pair<int, int>;  // (socket, core id within it)

std::optional<int> parse_int(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "key\t: 12" as ("key", 12).
std::optional<std::pair<std::string_view, int>> parse_cpuinfo_line(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || colon + 2 > line.size()) return std::nullopt;
  const auto value = parse_int(line.substr(colon + 2));
  if (!value) return std::nullopt;
  const std::string_view key = line.substr(0, colon);
  return std::pair{key.substr(0, key.find_last_not_of(" \t") + 1), *value};
}

std::map<int, Core> read_topology(const fs::path& root) {
  std::map<int, Core> cores;
  std::ifstream file(root / "proc/cpuinfo");
  int cpu = -1;
  for (std::string line; std::getline(file, line);) {
    const auto entry = parse_cpuinfo_line(line);
    if (!entry) continue;
    const auto& [key, value] = *entry;
    if (key == "processor") {
      cpu = value;
      cores[cpu] = {-1, cpu};
    } else if (key == "physical id" && cpu >= 0) {
      cores[cpu].first = value;
    } else if (key == "core id" && cpu >= 0) {
      cores[cpu].second = value;
    }
  }
  return cores;
}

// "0-3,8,10-11"; ranges that are not numbers are left out.
std::set<int> parse_cpu_list(std::string_view text) {
  std::set<int> cpus;
  while (!text.empty()) {
    const std::string_view range = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), range.size() + 1));
    const auto dash = range.find('-');
    const auto first = parse_int(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_int(range.substr(dash + 1));
    if (!first || !last || *last - *first > 1 << 16) continue;
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.insert(cpu);
  }
  return cpus;
}

// Those of `cpus` that a hybrid x86 CPU lists as performance cores.
std::vector<int> listed_fast_cpus(const fs::path& root, std::span<const int> cpus) {
  std::ifstream file(root / "sys/devices/cpu_core/cpus");
  std::string list;
  std::vector<int> chosen;
  if (!std::getline(file, list)) return chosen;
  const std::set<int> fast = parse_cpu_list(list);
  std::copy_if(cpus.begin(), cpus.end(), std::back_inserter(chosen),
               [&](int cpu) { return fast.contains(cpu); });
  return chosen;
}

// Those whose capacity is near the largest; none where a CPU's is not told.
std::vector<int> capable_cpus(const fs::path& root, std::span<const int> cpus) {
  constexpr double kNear =
      0.6;  // big cores beside a prime one have 0.7 to 0.9 of its capacity, little ones below 0.5
  std::vector<double> capacities;
  for (const int cpu : cpus) {
    std::ifstream file(root / fmt::format("sys/devices/system/cpu/cpu{}/cpu_capacity", cpu));
    double capacity = 0;
    if (!(file >> capacity) || capacity <= 0) return {};
    capacities.push_back(capacity);
  }
  std::vector<int> chosen;
  for (std::size_t i = 0; i < capacities.size(); ++i)
    if (capacities[i] >= kNear * *std::max_element(capacities.begin(), capacities.end()))
      chosen.push_back(cpus[i]);
  return chosen;
}

// Those of `cpus` that are performance cores, or all where the CPU is not hybrid or only others are allowed.
std::vector<int> performance_cpus(const fs::path& root, std::span<const int> cpus) {
  std::vector<int> chosen = listed_fast_cpus(root, cpus);
  if (chosen.empty()) chosen = capable_cpus(root, cpus);
  return chosen.empty() ? std::vector<int>(cpus.begin(), cpus.end()) : chosen;
}

int count_cores(const fs::path& root, std::span<const int> cpus) {
  const std::map<int, Core> topology = read_topology(root);
  std::set<Core> cores;
  for (const int cpu : cpus) {
    const auto found = topology.find(cpu);
    cores.insert(found == topology.end() ? Core{-1, cpu} : found->second);
  }
  return std::max<int>(1, static_cast<int>(cores.size()));
}

int limit(int cpus, const std::optional<double>& quota) {
  if (quota && *quota < cpus) cpus = static_cast<int>(*quota);
  return std::max(1, cpus);
}

}  // namespace

int CpuCount::default_threads() const { return limit(physical_cores, quota); }
int CpuCount::usable_cpus() const { return limit(logical_cpus, quota); }

std::string CpuCount::why() const {
  const int threads = default_threads();
  const std::string quota_text =
      quota ? fmt::format("a cgroup quota of {:.2f} CPUs", *quota) : "no cgroup quota";
  return fmt::format("{} thread{}: {} {} core{} ({} logical CPU{} in the affinity mask), {}", threads,
                     threads == 1 ? "" : "s", physical_cores, hybrid ? "performance" : "physical",
                     physical_cores == 1 ? "" : "s", logical_cpus, logical_cpus == 1 ? "" : "s", quota_text);
}

CpuCount count_cpus(const fs::path& root, std::span<const int> affinity) {
  CpuCount count;
  count.logical_cpus = std::max<int>(1, static_cast<int>(affinity.size()));
  const std::vector<int> fast = performance_cpus(root, affinity);
  count.physical_cores = count_cores(root, fast);
  count.hybrid = fast.size() < affinity.size();
  count.quota = cgroup_cpu_quota(root);
  return count;
}

CpuCount count_cpus() { return count_cpus("/", affinity_mask()); }

std::vector<int> affinity_mask() {
#if defined(__linux__)
  constexpr int kMaxCpus = 8192;  // the most that Linux can be built for
  std::vector<int> cpus;
  std::vector<cpu_set_t> set(CPU_ALLOC_SIZE(kMaxCpus) / sizeof(cpu_set_t));
  const std::size_t bytes = set.size() * sizeof(cpu_set_t);
  if (sched_getaffinity(0, bytes, set.data()) == 0) {
    for (int cpu = 0; cpu < kMaxCpus; ++cpu) {
      if (CPU_ISSET_S(cpu, bytes, set.data())) cpus.push_back(cpu);
    }
  }
  if (!cpus.empty()) return cpus;
#endif
  std::vector<int> all(std::max(1u, std::thread::hardware_concurrency()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace minfer
