#include "graph/stamp_device.h"

#include <gtest/gtest.h>

#include <cstring>

#include "graph/scheduler.h"
#include "minfer/error.h"

namespace minfer::test {
namespace {

std::vector<std::byte> pattern(NodeId value, std::size_t first_word, std::size_t bytes) {
  std::vector<std::byte> result(bytes);
  for (std::size_t i = 0; i < bytes / 4; ++i) {
    const std::uint32_t word = stamp(value, first_word + i);
    std::memcpy(result.data() + 4 * i, &word, 4);
  }
  return result;
}

}  // namespace

std::uint32_t stamp(NodeId value, std::size_t word) {
  return static_cast<std::uint32_t>(value + 1) * 2654435761u + static_cast<std::uint32_t>(word) * 40503u;
}

StampDevice::StampDevice(NullOptions options, Claim claims)
    : NullBackend(std::move(options)), claims_(std::move(claims)) {}

void StampDevice::watch(const CompiledGraph& graph) {
  graph_ = &graph;
  origins_.clear();
  for (const Node& node : graph.graph().nodes) {
    const auto id = static_cast<NodeId>(origins_.size());
    origins_.push_back(is_alias(node.op) ? origins_[static_cast<std::size_t>(node.inputs[0])]
                                         : Origin{id, 0});
    if (const View* view = std::get_if<View>(&node.op))
      origins_.back().word += static_cast<std::size_t>(view->first_row * node.out.shape.cols());
  }
}

Plan StampDevice::plan(const NodeSpec& spec) const {
  Plan plan = NullBackend::plan(spec);
  if (plan.supported && claims_ && !claims_(*spec.op)) {
    plan.supported = false;
    plan.reason = "not claimed";
  }
  plan.workspace_bytes = workspace_bytes;
  return plan;
}

bool StampDevice::begin(const Split& split) {
  log.emplace_back("begin");
  if (!replays || !split.may_replay) return false;
  for (int step = split.first; step < split.last; ++step) {
    const Step& replayed = graph_->steps()[static_cast<std::size_t>(step)];
    write_result(*replayed.planned.node, replayed.buffers.output);
  }
  return true;
}

NodeId StampDevice::write_result(const Node& node, const BufferRef& output) {
  const NodeId id = static_cast<NodeId>(&node - graph_->graph().nodes.data());
  if (output.bytes) NullBackend::write(output.buffer, output.offset, pattern(id, 0, output.bytes));
  return id;
}

void StampDevice::execute(const PlannedNode& planned, const NodeBuffers& buffers) {
  const Node& node = *planned.node;
  log.push_back(node.label);
  if (node.label == throw_at) throw DeviceError("thrown at " + node.label);
  ASSERT_EQ(buffers.inputs.size(), node.inputs.size());
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    EXPECT_TRUE(holds(node.inputs[i], buffers.inputs[i])) << node.label << " input " << i << " on " << name();
  const NodeId id = write_result(node, buffers.output);
  EXPECT_EQ(buffers.workspace.bytes, planned.plan.workspace_bytes);
  const std::vector<std::byte> garbage(buffers.workspace.bytes, std::byte{0xEE});
  if (!garbage.empty()) NullBackend::write(buffers.workspace.buffer, buffers.workspace.offset, garbage);
  EXPECT_TRUE(holds(id, buffers.output)) << node.label << " lies in its workspace";
}

void StampDevice::end(const Split&) { log.emplace_back("end"); }
void StampDevice::abort(const Split&) noexcept { log.emplace_back("abort"); }

void StampDevice::write(BufferId buffer, std::size_t offset, std::span<const std::byte> bytes) {
  log.emplace_back("write");
  NullBackend::write(buffer, offset, bytes);
}

bool StampDevice::holds(NodeId value, const BufferRef& ref) {
  const Node& node = graph_->graph().nodes[static_cast<std::size_t>(value)];
  if (node.out.dtype == DType::kHandle) return ref.bytes == 0;
  if (ref.bytes != tensor_bytes(node.out)) return false;
  std::vector<std::byte> bytes(ref.bytes);
  read(ref.buffer, ref.offset, bytes);
  const Origin& origin = origins_[static_cast<std::size_t>(value)];
  return bytes == pattern(origin.node, origin.word, ref.bytes);
}

void write_stamps(CompiledGraph& graph) {
  for (const InputSlot& slot : graph.inputs()) {
    const Node& node = graph.graph().nodes[static_cast<std::size_t>(slot.node)];
    write_input(graph, node.label, pattern(slot.node, 0, tensor_bytes(node.out)));
  }
}

}  // namespace minfer::test
