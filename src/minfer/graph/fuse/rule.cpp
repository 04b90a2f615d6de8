#include "graph/fuse/rule.h"

#include "graph/infer_node.h"
#include "graph/node_kind.h"

namespace minfer {

bool FuseContext::accepts(const Node& fused) const {
  const Backend& device = *devices[static_cast<std::size_t>(fused.device)];
  if (!supports_fused_op(device, fused.op)) return false;
  const Plan plan = plan_node(editor.graph(), fused, device);
  return plan.supported &&
         wanted_input_type(editor.graph(), fused, plan) == editor.node(fused.inputs.at(0)).out.dtype;
}

int run_rule(const FuseRule& rule, CompileState& state) {
  GraphEditor editor(state.graph);
  const FuseContext context{editor, state.devices};
  int fired = 0;
  const NodeId n_nodes = editor.size();
  for (NodeId id = 0; id < n_nodes; ++id)
    if (!editor.is_erased(id) && rule.apply(context, id)) ++fired;
  editor.commit();
  return fired;
}

Node fused_node(const FuseContext& context, Op op, std::vector<NodeId> inputs, std::vector<WeightId> weights,
                NodeId like) {
  const Node& model = context.editor.node(like);
  return make_node(context.editor.graph(), std::move(op), std::move(inputs), std::move(weights), model.label,
                   model.device);
}

}  // namespace minfer
