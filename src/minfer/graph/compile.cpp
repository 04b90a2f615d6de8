#include "graph/compile.h"

#include <fstream>

#include "base/check.h"
#include "graph/allocate.h"
#include "graph/assign.h"
#include "graph/compiled_graph.h"
#include "graph/dump.h"
#include "graph/fuse/fused_ffn.h"
#include "graph/fuse/fused_qkv.h"
#include "graph/fuse/rule_list.h"
#include "graph/in_place.h"
#include "graph/liveness.h"
#include "graph/lower_quantize.h"
#include "graph/pass.h"
#include "graph/plan_nodes.h"

namespace minfer {
namespace {

int schedule(CompileState& state) {
  state.schedule = make_schedule(state.graph);
  return static_cast<int>(state.schedule.splits.size());
}

std::vector<Pass> make_passes() {
  std::vector<Pass> passes = {
      // Which device runs what decides everything below.
      {"assign", false, Stage::kAssigned, assign},
      // Before fusion, so that rules see which type each product reads.
      {"lower_quantize", false, Stage::kLowered, lower_quantize},
  };
  for (const FuseRule& rule : fuse_rules())
    passes.push_back(
        {rule.name, true, Stage::kLowered, [&rule](CompileState& state) { return run_rule(rule, state); }});
  const std::initializer_list<Pass> rest = {
      {"plan", false, Stage::kPlanned, plan_nodes},
      {"schedule", false, Stage::kScheduled, schedule},
      {"liveness", false, Stage::kScheduled, find_liveness},
      // Before offsets are given out, so that a chain of nodes takes one place.
      {"in_place", true, Stage::kScheduled, alias_in_place},
      {"allocate", false, Stage::kAllocated, allocate},
  };
  passes.insert(passes.end(), rest);
  return passes;
}

std::vector<std::string> disabled_passes(const CompileOptions& options) {
  std::vector<std::string> names = options.disabled_passes;
  if (!options.fuse_qkv) names.emplace_back(kFusedQkvRule.name);
  if (!options.fuse_ffn) names.emplace_back(kFusedFfnRule.name);
  if (!options.fuse)
    for (const FuseRule& rule : fuse_rules()) names.emplace_back(rule.name);
  return names;
}

void append_dump(const CompiledGraph& graph, const std::string& path) {
  std::ofstream file(path, std::ios::app);
  file << (path.ends_with(".dot") ? dump_dot(graph) : dump_text(graph)) << '\n';
  if (!file.flush()) throw Error(fmt::format("cannot write the graph dump {}", path));
}

}  // namespace

std::unique_ptr<CompiledGraph> compile(Graph graph, std::span<Backend* const> devices,
                                       const CompileOptions& options) {
  MINFER_CHECK(!devices.empty(), "no device to compile for");
  CompileState state;
  state.graph = std::move(graph);
  state.devices = devices;
  state.options = &options;
  run_passes(make_passes(), disabled_passes(options), state);
  auto compiled = std::make_unique<CompiledGraph>(std::move(state));
  if (!options.dump_path.empty()) append_dump(*compiled, options.dump_path);
  return compiled;
}

std::vector<PassName> pass_names() {
  std::vector<PassName> names;
  for (const Pass& pass : make_passes()) names.push_back({pass.name, pass.optional});
  return names;
}

}  // namespace minfer
