// What the passes of a compilation read and write.
#pragma once

#include <vector>

#include "graph/compile.h"
#include "graph/memory_plan.h"
#include "graph/schedule.h"

namespace minfer {

// How far a compilation is: each stage adds what the verifier may rely on.
enum class Stage { kBuilt, kAssigned, kLowered, kPlanned, kScheduled, kAllocated };

struct CompileState {
  Graph graph;
  std::span<Backend* const> devices;
  const CompileOptions* options = nullptr;
  Stage stage = Stage::kBuilt;
  std::vector<Plan> plans;  // by node, from kPlanned on; empty answers for nodes that are not executed
  Schedule schedule;        // from kScheduled on
  MemoryPlan memory;        // from kAllocated on
  CompileReport report;

  const Backend& device_of(const Node& node) const { return *devices[static_cast<std::size_t>(node.device)]; }
};

}  // namespace minfer
