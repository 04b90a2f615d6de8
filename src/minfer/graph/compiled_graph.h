// A graph that is ready to run: nodes with their kernels, splits with their copies, and a place for every
// value.
#pragma once

#include <vector>

#include "graph/arena.h"
#include "graph/compile_state.h"

namespace minfer {

// A node to execute, with the memory that it reads and writes.
struct Step {
  PlannedNode planned;
  NodeBuffers buffers;
  int kv_layer = -1;  // of nodes that touch the KV cache
};

struct BoundTransfer {
  DeviceId from = -1;
  BufferRef source;
  BufferRef target;
};

struct BoundSplit {
  DeviceId device = -1;
  Split split;                           // its nodes are steps()[split.first .. split.last)
  std::vector<BoundTransfer> transfers;  // before it
};

// Where a value is on one device.
struct Home {
  DeviceId device = -1;
  BufferRef ref;
};

struct InputSlot {
  NodeId node = -1;
  InputRole role = InputRole::kOther;
  std::vector<Home> homes;  // one for each device that reads it
};

class CompiledGraph {
 public:
  explicit CompiledGraph(CompileState&& state);  // made by compile()
  CompiledGraph(const CompiledGraph&) = delete;
  CompiledGraph& operator=(const CompiledGraph&) = delete;

  const Graph& graph() const { return graph_; }
  std::span<Backend* const> devices() const { return devices_; }
  Backend& device(DeviceId id) const { return *devices_[static_cast<std::size_t>(id)]; }
  const CompileReport& report() const { return report_; }
  std::span<const Step> steps() const { return steps_; }
  std::span<const BoundSplit> splits() const { return splits_; }
  std::span<const InputSlot> inputs() const { return inputs_; }
  // In the order in which the builder marked them.
  std::span<const Home> outputs() const { return outputs_; }
  std::size_t arena_bytes(DeviceId device) const {
    return memory_.arena_bytes[static_cast<std::size_t>(device)];
  }
  // The device that holds a layer's KV cells, or -1 where the graph has no such layer.
  DeviceId kv_device(int layer) const;
  // Null where the node has no kernel of its own (inputs and aliases).
  const Plan* plan(NodeId node) const;

  // Gives the graph its memory and makes room for it. The arena must have this graph's devices and outlive
  // it.
  void bind(Arena& arena);
  // Looks up its buffers again if another graph made the arena grow. Called by everything that runs or fills
  // the graph. REQUIRES: bind.
  void follow_arena();
  // Host memory for copies between devices, as large as the largest one.
  std::span<std::byte> staging() { return staging_; }

 private:
  void make_steps(std::vector<Plan> plans);
  void make_splits();
  void make_slots();
  void set_refs();
  BufferRef locate(NodeId value, DeviceId device) const;
  BufferRef workspace(std::size_t step) const;

  Graph graph_;
  std::vector<Backend*> devices_;
  Schedule schedule_;
  MemoryPlan memory_;
  CompileReport report_;
  std::vector<Step> steps_;
  std::vector<int> step_of_node_;      // -1 for nodes that are not executed
  std::vector<BufferRef> input_refs_;  // of all steps, one after another
  std::vector<BoundSplit> splits_;
  std::vector<InputSlot> inputs_;
  std::vector<Home> outputs_;
  std::vector<std::byte> staging_;
  Arena* arena_ = nullptr;
  std::uint64_t arena_generation_ = 0;
};

}  // namespace minfer
