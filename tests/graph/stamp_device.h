// A device that computes nothing but proves that memory is right: each execution checks that every input
// holds what its maker wrote, then writes the result's own pattern. A value that was overwritten too early,
// not copied to the device, or looked for in the wrong place fails the test, naming the node.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/null/null_backend.h"
#include "graph/compiled_graph.h"

namespace minfer::test {

// The i-th 32-bit word of a value: different for each node and each word.
std::uint32_t stamp(NodeId value, std::size_t word);

class StampDevice : public NullBackend {
 public:
  using Claim = std::function<bool(const Op&)>;
  explicit StampDevice(NullOptions options = {}, Claim claims = nullptr);

  // The graph that runs next; it must outlive the runs.
  void watch(const CompiledGraph& graph);

  Plan plan(const NodeSpec& spec) const override;
  bool begin(const Split& split) override;
  void execute(const PlannedNode& node, const NodeBuffers& buffers) override;
  void end(const Split& split) override;
  void abort(const Split& split) noexcept override;
  void write(BufferId buffer, std::size_t offset, std::span<const std::byte> bytes) override;

  // Whether the stretch holds the value that `value` names (a node; aliases show a part of their root).
  bool holds(NodeId value, const BufferRef& ref);

  std::size_t workspace_bytes = 0;  // of each node planned from now on
  bool replays = false;             // begin does the split's work and says so, where it is allowed to
  std::string throw_at;             // label of a node whose execution fails
  std::vector<std::string> log;     // "begin", labels executed, "end", "abort", "write"

 private:
  // Whose pattern a value shows, and from which word on (views are of 32-bit types here).
  struct Origin {
    NodeId node = -1;
    std::size_t word = 0;
  };
  NodeId write_result(const Node& node, const BufferRef& output);

  Claim claims_;
  const CompiledGraph* graph_ = nullptr;
  std::vector<Origin> origins_;  // by node
};

// Writes every input's pattern.
void write_stamps(CompiledGraph& graph);

}  // namespace minfer::test
