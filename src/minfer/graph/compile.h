// Turns a graph into something to run: assigns nodes to devices, lowers, fuses, plans and gives out memory.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace minfer {

#ifdef MINFER_VERIFY_GRAPHS
inline constexpr bool kVerifyByDefault = true;
#else
inline constexpr bool kVerifyByDefault = false;
#endif

struct CompileOptions {
  bool fuse = true;      // false: no fusion rule at all
  bool fuse_qkv = true;  // false: neither FusedQKV nor QkvBiasRopeStore
  bool fuse_ffn = true;  // false: no FusedFFN
  // Only the last device runs anything, whatever the others support.
  bool last_device_only = false;
  // Optional passes to leave out, by name (pass_names()). Naming another is an InvalidRequestError.
  std::vector<std::string> disabled_passes = {};
  // Check the graph against the rules of verify.h after each pass.
  bool verify = kVerifyByDefault;
  // Append a dump of each compiled graph to this file: Graphviz where it ends in ".dot", else text. Empty:
  // none.
  std::string dump_path = {};
};

// A device that takes no part in a graph because it cannot run all of its weights.
struct LeftOutDevice {
  DeviceId device = -1;
  std::string tensor;  // the first offending one
  std::string reason;
};

struct PassReport {
  std::string_view name;
  double seconds = 0;
  int changes = 0;  // rewrites made: nodes inserted, patterns fused, buffers shared
};

struct CompileReport {
  std::vector<LeftOutDevice> left_out;
  std::vector<PassReport> passes;  // those that ran, in order
};

class CompiledGraph;

// Compiles for `devices`, in order of preference; the last one has to support every node. The devices must
// outlive the result, and the graph's weights must stay registered on them. Throws UnsupportedError naming
// the node where the last device cannot run one. The result needs memory before it runs: CompiledGraph::bind.
std::unique_ptr<CompiledGraph> compile(Graph graph, std::span<Backend* const> devices,
                                       const CompileOptions& options);

struct PassName {
  std::string_view name;
  bool optional = false;
};
// Every pass in the order it runs.
std::vector<PassName> pass_names();

}  // namespace minfer
