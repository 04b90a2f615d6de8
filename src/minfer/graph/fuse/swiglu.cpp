#include "graph/fuse/swiglu.h"

namespace minfer {

bool fuse_swiglu(const FuseContext& context, NodeId root) {
  GraphEditor& editor = context.editor;
  if (!editor.get_if<Mul>(root) || editor.node(root).inputs.size() != 2) return false;
  const std::vector<NodeId> factors = editor.node(root).inputs;
  for (std::size_t i = 0; i < 2; ++i) {
    const NodeId silu = factors[i];
    if (!editor.get_if<Silu>(silu) || editor.only_user(silu) != root) continue;
    if (editor.node(silu).device != editor.node(root).device) continue;
    Node fused = fused_node(context, SwiGLU{}, {editor.node(silu).inputs[0], factors[1 - i]}, {}, root);
    if (!context.accepts(fused)) return false;
    editor.replace_uses(root, editor.insert(std::move(fused), root));
    editor.erase(root);
    editor.erase(silu);
    return true;
  }
  return false;
}

}  // namespace minfer
