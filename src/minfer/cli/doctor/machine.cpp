#include "cli/doctor/machine.h"

#include <fmt/core.h>

#include <stdlib.h>  // getloadavg is not of std

#include <sstream>

#include "base/levers.h"
#include "cli/doctor/lines.h"
#include "cli/units.h"

namespace minfer::cli {
namespace {

using Json = nlohmann::ordered_json;

// "0-3,8" for {0, 1, 2, 3, 8}.
std::string cpu_list(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < cpus.size(); first = last + 1) {
    for (last = first; last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1; ++last) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ",", cpus[first]);
    if (last > first) text += fmt::format("-{}", cpus[last]);
  }
  return text;
}

std::vector<std::string> words_of(const CpuFeatures& features) {
  std::istringstream stream(to_string(features));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string threads_text(const MachineReport& report) {
  std::string text = report.cpus.why();
  if (report.n_threads > report.cpus.usable_cpus())
    text += fmt::format("; {} asked for are more than the {} CPUs that they may use", report.n_threads,
                        report.cpus.usable_cpus());
  return text;
}

std::string load_text(const MachineReport& report) {
  constexpr double kBusy = 0.25;  // processes beside this one
  const std::string text = fmt::format("{:.2f} in the last minute", report.load);
  return report.load > kBusy ? text + ": other work is running, and what is measured below is too low" : text;
}

std::string memory_text(const SystemMemory& memory) {
  std::string text =
      fmt::format("{}, {} available", size_text(memory.total_bytes), size_text(memory.available_bytes));
  return text + (memory.group_bytes
                     ? fmt::format(", of which the cgroup's limit leaves {}", size_text(*memory.group_bytes))
                     : std::string(", no limit of a cgroup"));
}

std::string huge_pages_text(const std::string& mode) {
  if (mode.empty()) return "no transparent ones";
  if (mode == "madvise") return "transparent ones where a program asks (madvise)";
  return fmt::format("transparent ones: {}", mode);
}

void add_nodes(const MachineReport& report, Lines& lines) {
  if (report.nodes.empty()) lines.add("NUMA nodes", "not told");
  for (const NumaNode& node : report.nodes)
    lines.add(
        fmt::format("NUMA node {}", node.id),
        fmt::format("CPUs {}, {}", node.cpus.empty() ? "none" : node.cpus, size_text(node.total_bytes)));
}

void add_ceilings(const MachineReport& report, Lines& lines) {
  const Ceilings& c = report.ceilings;
  const std::string with = fmt::format("{} thread{}", report.n_threads, report.n_threads == 1 ? "" : "s");
  lines.add("read bandwidth",
            fmt::format("{:.1f} GB/s with {}, of {}", c.read_bytes_per_s * 1e-9, with, report.read_from));
  lines.add("integer peak",
            fmt::format("{:.0f} Gop/s with {} ({})", c.int8_ops_per_s * 1e-9, with, c.int8_kernel));
  lines.add("float peak",
            fmt::format("{:.0f} GFLOP/s with {} ({})", c.fma_flops_per_s * 1e-9, with, c.fma_kernel));
}

std::string kernels_text(const std::string& backend, const std::vector<ProductKernels>& kernels) {
  std::size_t width = 0;
  for (const ProductKernels& row : kernels) width = std::max(width, row.decode.size() + 2);
  std::string text = fmt::format("\nmatrix products on {}\n", backend);
  text += "  " + padded("type", 8) + padded("1 token", width) + "many tokens\n";
  for (const ProductKernels& row : kernels)
    text += "  " + padded(row.type, 8) + padded(row.decode, width) + row.prefill + "\n";
  return text;
}

Json threads_json(const MachineReport& report) {
  const CpuCount& cpus = report.cpus;
  return {{"default", cpus.default_threads()},
          {"why", cpus.why()},
          {"affinity", report.affinity},
          {"physical_cores", cpus.physical_cores},
          {"cgroup_quota", cpus.quota ? Json(*cpus.quota) : Json()},
          {"measured_with", report.n_threads}};
}

Json memory_json(const MachineReport& report) {
  const SystemMemory& memory = report.memory;
  Json json = {{"total_bytes", memory.total_bytes},
               {"available_bytes", memory.available_bytes},
               {"cgroup_bytes", memory.group_bytes ? Json(*memory.group_bytes) : Json()},
               {"huge_pages", report.huge_pages},
               {"numa_nodes", Json::array()}};
  for (const NumaNode& node : report.nodes)
    json["numa_nodes"].push_back({{"id", node.id}, {"cpus", node.cpus}, {"total_bytes", node.total_bytes}});
  return json;
}

Json backends_json(const MachineReport& report) {
  Json list = Json::array();
  for (const BackendStatus& backend : report.backends) {
    Json json = {{"name", backend.name}, {"available", backend.available}, {"detail", backend.detail}};
    json["kernels"] = Json::array();
    if (const auto found = report.kernels.find(backend.name); found != report.kernels.end())
      for (const ProductKernels& row : found->second)
        json["kernels"].push_back({{"type", row.type}, {"decode", row.decode}, {"prefill", row.prefill}});
    list.push_back(json);
  }
  return list;
}

}  // namespace

MachineReport describe_machine(int n_threads) {
  MachineReport report;
  report.processor = cpu_name();
  report.found = detect_cpu_features();
  report.allowed = allowed_cpu_features(report.found, levers());
  report.levers = set_levers(levers());
  report.cpus = count_cpus();
  report.affinity = affinity_mask();
  report.n_threads = n_threads != 0 ? n_threads : report.cpus.default_threads();
  if (getloadavg(&report.load, 1) != 1) report.load = -1;
  report.memory = system_memory();
  report.huge_pages = huge_page_mode();
  report.nodes = numa_nodes();
  report.backends = backend_statuses();
  for (const BackendStatus& backend : report.backends)
    if (backend.available && !backend.only_by_name)
      report.kernels[backend.name] = product_kernels(backend.name);
  return report;
}

Json machine_json(const MachineReport& report) {
  const Ceilings& c = report.ceilings;
  return {{"processor", report.processor},
          {"instruction_sets", {{"found", words_of(report.found)}, {"allowed", words_of(report.allowed)}}},
          {"levers", report.levers},
          {"threads", threads_json(report)},
          {"load", report.load >= 0 ? Json(report.load) : Json()},
          {"memory", memory_json(report)},
          {"ceilings",
           {{"read_gb_s", c.read_bytes_per_s * 1e-9},
            {"read_from", report.read_from},
            {"int8_gop_s", c.int8_ops_per_s * 1e-9},
            {"int8_kernel", c.int8_kernel},
            {"fma_gflop_s", c.fma_flops_per_s * 1e-9},
            {"fma_kernel", c.fma_kernel}}},
          {"backends", backends_json(report)}};
}

std::string machine_text(const MachineReport& report) {
  Lines lines;
  lines.add("processor", report.processor);
  lines.add("instruction sets", to_string(report.found));
  if (report.allowed != report.found) lines.add("allowed of them", to_string(report.allowed));
  lines.add("levers set", report.levers.empty() ? "none" : joined(report.levers, " "));
  lines.add("threads", threads_text(report));
  lines.add("affinity mask", "CPUs " + cpu_list(report.affinity));
  if (report.load >= 0) lines.add("load", load_text(report));
  lines.add("memory", memory_text(report.memory));
  lines.add("huge pages", huge_pages_text(report.huge_pages));
  add_nodes(report, lines);
  add_ceilings(report, lines);
  for (const BackendStatus& backend : report.backends)
    lines.add("backend " + backend.name,
              fmt::format("{}{}{}", backend.available ? "" : "absent: ", backend.detail,
                          backend.only_by_name ? " (only by --backend)" : ""));
  std::string text = lines.text();
  for (const auto& [backend, kernels] : report.kernels) text += kernels_text(backend, kernels);
  return text;
}

}  // namespace minfer::cli
