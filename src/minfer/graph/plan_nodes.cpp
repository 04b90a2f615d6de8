#include "graph/plan_nodes.h"

#include "base/check.h"
#include "graph/infer_node.h"
#include "graph/node_kind.h"

namespace minfer {

int plan_nodes(CompileState& state) {
  state.plans.assign(state.graph.nodes.size(), Plan{});
  int planned = 0;
  for (std::size_t i = 0; i < state.graph.nodes.size(); ++i) {
    const Node& node = state.graph.nodes[i];
    if (!is_executed(node.op)) continue;
    const Backend& device = state.device_of(node);
    state.plans[i] = plan_node(state.graph, node, device);
    if (!state.plans[i].supported)
      throw UnsupportedError(fmt::format("{} ({}) cannot run on {}: {}", node.label, op_name(node.op),
                                         device.name(), state.plans[i].reason));
    ++planned;
  }
  return planned;
}

}  // namespace minfer
