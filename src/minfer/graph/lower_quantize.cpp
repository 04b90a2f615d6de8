#include "graph/lower_quantize.h"

#include <map>
#include <tuple>

#include <fmt/core.h>

#include "graph/graph_editor.h"
#include "graph/infer_node.h"
#include "graph/node_kind.h"

namespace minfer {

int lower_quantize(CompileState& state) {
  GraphEditor editor(state.graph);
  std::map<std::tuple<NodeId, DType, DeviceId>, NodeId> converted;
  const NodeId n_nodes = editor.size();
  for (NodeId id = 0; id < n_nodes; ++id) {
    const Node& node = editor.node(id);
    if (!is_executed(node.op) || node.inputs.empty()) continue;
    const NodeId source = node.inputs[0];
    const Plan plan = plan_node(state.graph, node, state.device_of(node));
    const DType wanted = wanted_input_type(state.graph, node, plan);
    if (wanted == editor.node(source).out.dtype) continue;
    const auto [entry, first] = converted.try_emplace({source, wanted, node.device}, -1);
    if (first) {
      std::string label = fmt::format("{}.{}", editor.node(source).label, dtype_name(wanted));
      entry->second = editor.insert(
          make_node(state.graph, Quantize{wanted}, {source}, {}, std::move(label), node.device), id);
    }
    editor.set_input(id, 0, entry->second);
  }
  editor.commit();
  return static_cast<int>(converted.size());
}

}  // namespace minfer
