#include "graph/scheduler.h"

#include <algorithm>

#include "base/check.h"

namespace minfer {
namespace {

void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw CancelledError("the run was cancelled");
}

void copy_across(CompiledGraph& graph, const BoundTransfer& transfer, Backend& target) {
  Backend& source = graph.device(transfer.from);
  const std::size_t bytes = transfer.source.bytes;
  source.synchronize();
  std::span<const std::byte> values;
  if (const std::byte* memory = source.host_view(transfer.source.buffer)) {
    values = {memory + transfer.source.offset, bytes};
  } else {
    const std::span<std::byte> staged = graph.staging().first(bytes);
    source.read(transfer.source.buffer, transfer.source.offset, staged);
    values = staged;
  }
  target.write(transfer.target.buffer, transfer.target.offset, values);
}

// A split that has begun: aborted unless it was ended.
class OpenSplit {
 public:
  OpenSplit(Backend& device, const Split& split)
      : device_(device), split_(split), replayed_(device.begin(split)) {}
  ~OpenSplit() {
    if (open_) device_.abort(split_);
  }
  OpenSplit(const OpenSplit&) = delete;
  OpenSplit& operator=(const OpenSplit&) = delete;

  bool replayed() const { return replayed_; }
  void end() {
    device_.end(split_);
    open_ = false;
  }

 private:
  Backend& device_;
  const Split& split_;
  bool replayed_ = false;
  bool open_ = true;
};

NodeBuffers with_kv(const Step& step, const RunContext& context) {
  NodeBuffers buffers = step.buffers;
  if (step.kv_layer < 0) return buffers;
  MINFER_CHECK(context.kv, "{} needs a KV cache", step.planned.node->label);
  buffers.kv = context.kv->kv_pair(step.kv_layer);
  return buffers;
}

void execute(Backend& device, const Step& step, const RunContext& context) {
  const NodeBuffers buffers = with_kv(step, context);
  if (!context.observer) {
    device.execute(step.planned, buffers);
    return;
  }
  const NodeEvent event{step.planned, buffers, device};
  context.observer->before(event);
  device.execute(step.planned, buffers);
  device.synchronize();
  context.observer->after(event);
}

void run_split(CompiledGraph& graph, const BoundSplit& bound, const RunContext& context) {
  Backend& device = graph.device(bound.device);
  for (const BoundTransfer& transfer : bound.transfers) copy_across(graph, transfer, device);
  Split split = bound.split;
  split.may_replay = !context.observer;
  OpenSplit open(device, split);
  if (!open.replayed()) {
    for (const Step& step : graph.steps().subspan(static_cast<std::size_t>(split.first),
                                                  static_cast<std::size_t>(split.last - split.first))) {
      check_stop(context.stop);
      execute(device, step, context);
    }
  }
  open.end();
}

void write_slot(CompiledGraph& graph, const InputSlot& slot, std::span<const std::byte> bytes) {
  const Node& node = graph.graph().nodes[static_cast<std::size_t>(slot.node)];
  const std::size_t expected = tensor_bytes(node.out);
  MINFER_CHECK(bytes.size() == expected, "input {} takes {} bytes, not {}", node.label, expected,
               bytes.size());
  for (const Home& home : slot.homes)
    graph.device(home.device).write(home.ref.buffer, home.ref.offset, bytes);
}

const Home& float_output(CompiledGraph& graph, std::size_t index) {
  MINFER_CHECK(index < graph.outputs().size(), "output {} of {}", index, graph.outputs().size());
  const Node& node = graph.graph().nodes[static_cast<std::size_t>(graph.graph().outputs[index])];
  MINFER_CHECK(node.out.dtype == DType::kF32, "output {} ({}) is {}", index, node.label,
               dtype_name(node.out.dtype));
  return graph.outputs()[index];
}

}  // namespace

void run(CompiledGraph& graph, const RunContext& context) {
  graph.follow_arena();
  for (const BoundSplit& split : graph.splits()) {
    check_stop(context.stop);
    run_split(graph, split, context);
  }
  if (!context.wait) return;
  for (const BoundSplit& split : graph.splits()) graph.device(split.device).synchronize();
}

bool has_input(const CompiledGraph& graph, InputRole role) {
  return std::ranges::find(graph.inputs(), role, &InputSlot::role) != graph.inputs().end();
}

void write_input(CompiledGraph& graph, InputRole role, std::span<const std::int32_t> values) {
  graph.follow_arena();
  const auto slot = std::ranges::find(graph.inputs(), role, &InputSlot::role);
  MINFER_CHECK(slot != graph.inputs().end(), "the graph has no input {}", to_string(role));
  write_slot(graph, *slot, std::as_bytes(values));
}

void write_input(CompiledGraph& graph, std::string_view label, std::span<const std::byte> bytes) {
  graph.follow_arena();
  const auto has_label = [&](const InputSlot& slot) {
    return graph.graph().nodes[static_cast<std::size_t>(slot.node)].label == label;
  };
  const auto slot = std::ranges::find_if(graph.inputs(), has_label);
  MINFER_CHECK(slot != graph.inputs().end(), "the graph has no input {}", label);
  write_slot(graph, *slot, bytes);
}

void read_output(CompiledGraph& graph, std::size_t index, std::span<float> values, std::size_t first) {
  const Home& home = float_output(graph, index);
  const std::size_t offset = first * sizeof(float);
  MINFER_CHECK(offset + values.size_bytes() <= home.ref.bytes, "output {}: values {} + {} of {}", index,
               first, values.size(), home.ref.bytes / sizeof(float));
  graph.device(home.device).read(home.ref.buffer, home.ref.offset + offset, std::as_writable_bytes(values));
}

const float* output_view(CompiledGraph& graph, std::size_t index) {
  const Home& home = float_output(graph, index);
  Backend& device = graph.device(home.device);
  device.synchronize();
  std::byte* memory = device.host_view(home.ref.buffer);
  return memory ? reinterpret_cast<const float*>(memory + home.ref.offset) : nullptr;
}

}  // namespace minfer
