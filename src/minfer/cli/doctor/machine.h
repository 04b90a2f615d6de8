// The machine's half of minfer doctor.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/cpu_count.h"
#include "base/cpu_features.h"
#include "base/system_memory.h"
#include "cli/ceilings.h"
#include "minfer/machine.h"

namespace minfer::cli {

struct MachineReport {
  std::string processor;
  CpuFeatures found, allowed;
  std::vector<std::string> levers;  // those that are set
  CpuCount cpus;
  std::vector<int> affinity;
  double load = -1;   // runnable processes in the last minute, on average; negative: not told
  int n_threads = 1;  // what the ceilings were measured with
  SystemMemory memory;
  std::string huge_pages;  // mode of transparent ones, or empty
  std::vector<NumaNode> nodes;
  Ceilings ceilings;
  std::string read_from;  // what the bandwidth is that of
  std::vector<BackendStatus> backends;
  std::map<std::string, std::vector<ProductKernels>>
      kernels;  // by backend; of those that a run may take by itself
};

// Everything but the ceilings.
MachineReport describe_machine(int n_threads);

nlohmann::ordered_json machine_json(const MachineReport& report);
std::string machine_text(const MachineReport& report);

}  // namespace minfer::cli
