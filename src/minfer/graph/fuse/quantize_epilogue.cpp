#include "graph/fuse/quantize_epilogue.h"

#include "graph/node_kind.h"

namespace minfer {

bool fuse_quantize_epilogue(const FuseContext& context, NodeId root) {
  GraphEditor& editor = context.editor;
  const Quantize* quantize = editor.get_if<Quantize>(root);
  if (!quantize) return false;
  const NodeId producer = editor.node(root).inputs[0];
  const std::optional<Op> op = with_epilogue_type(editor.node(producer).op, quantize->output);
  if (!op || editor.only_user(producer) != root) return false;
  const Node& source = editor.node(producer);
  if (source.device != editor.node(root).device) return false;
  Node fused = fused_node(context, *op, source.inputs, source.weights, producer);
  if (!context.accepts(fused)) return false;
  editor.replace_uses(root, editor.insert(std::move(fused), producer));
  editor.erase(root);
  editor.erase(producer);
  return true;
}

}  // namespace minfer
