// Runs a compiled graph: writes its inputs, executes its splits with the copies between devices, reads its
// results. Nothing here allocates memory or decides anything. One thread at a time; errors of devices pass
// through, after the split that was open has been aborted.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>

#include "graph/compiled_graph.h"

namespace minfer {

// A node about to run, or just finished.
struct NodeEvent {
  const PlannedNode& node;
  const NodeBuffers& buffers;
  Backend& device;
};

// Watches a run node by node (timing, tracing, the search for a non-finite value). While one is set, devices
// do not replay splits and each node has finished before `after` is called.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void before(const NodeEvent&) {}
  virtual void after(const NodeEvent&) {}
};

struct RunContext {
  const KvProvider* kv = nullptr;  // may be null for graphs that do not touch the KV cache
  std::stop_token stop = {};       // checked before each node and each split
  Observer* observer = nullptr;
  // false: return when the work is enqueued. Reading an output waits for it, and throws what went wrong.
  bool wait = true;
};

// Runs the graph on inputs written before; returns when every device has finished. Throws CancelledError when
// a stop is requested: the values of the graph, and the KV cells that it was to store, are then unspecified.
void run(CompiledGraph& graph, const RunContext& context);

bool has_input(const CompiledGraph& graph, InputRole role);
// Fills an input. The sizes must be equal; throws InternalError otherwise, or where there is no such input.
void write_input(CompiledGraph& graph, InputRole role, std::span<const std::int32_t> values);
// By the label of its node, for inputs without a role.
void write_input(CompiledGraph& graph, std::string_view label, std::span<const std::byte> bytes);

// Copies values of an output, from `first` on. REQUIRES: a float32 output that has them.
void read_output(CompiledGraph& graph, std::size_t index, std::span<float> values, std::size_t first = 0);
// A float32 output in place, valid until the next run of any graph of the arena; null where the device's
// memory is not host-addressable.
const float* output_view(CompiledGraph& graph, std::size_t index);

}  // namespace minfer
