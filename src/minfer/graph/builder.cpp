#include "graph/builder.h"

#include "base/check.h"
#include "graph/infer_node.h"

namespace minfer {

GraphBuilder::GraphBuilder(ModelId model) { graph_.model = model; }

WeightId GraphBuilder::weight(std::string_view name, const TensorDesc& desc) {
  const auto [entry, added] =
      weight_ids_.try_emplace(std::string(name), static_cast<WeightId>(graph_.weights.size()));
  if (added) {
    graph_.weights.push_back({std::string(name), desc});
  } else {
    const TensorDesc& known = graph_.weights[static_cast<std::size_t>(entry->second)].desc;
    MINFER_CHECK(known == desc, "weight {} is {} {} and {} {}", name, dtype_name(known.dtype),
                 to_string(known.shape), dtype_name(desc.dtype), to_string(desc.shape));
  }
  return entry->second;
}

Value GraphBuilder::add(Op op, std::initializer_list<Value> inputs, std::initializer_list<WeightId> weights,
                        std::string label) {
  std::vector<NodeId> input_ids;
  input_ids.reserve(inputs.size());
  for (Value value : inputs) {
    MINFER_CHECK(value.id >= 0 && value.id < static_cast<NodeId>(graph_.nodes.size()),
                 "{}: input {} of {} nodes", label, value.id, graph_.nodes.size());
    input_ids.push_back(value.id);
  }
  graph_.nodes.push_back(
      make_node(graph_, std::move(op), std::move(input_ids), weights, std::move(label), -1));
  return {static_cast<NodeId>(graph_.nodes.size()) - 1};
}

const TensorDesc& GraphBuilder::desc(Value value) const {
  MINFER_CHECK(value.id >= 0 && value.id < static_cast<NodeId>(graph_.nodes.size()), "value {} of {} nodes",
               value.id, graph_.nodes.size());
  return graph_.nodes[static_cast<std::size_t>(value.id)].out;
}

void GraphBuilder::mark_output(Value value) {
  desc(value);  // checks it
  graph_.outputs.push_back(value.id);
}

Graph GraphBuilder::finish() && { return std::move(graph_); }

}  // namespace minfer
