#include "graph/fuse/matmul_add.h"

namespace minfer {

bool fuse_matmul_add(const FuseContext& context, NodeId root) {
  GraphEditor& editor = context.editor;
  if (!editor.get_if<Add>(root) || editor.node(root).inputs.size() != 2) return false;
  const std::vector<NodeId> terms = editor.node(root).inputs;
  for (std::size_t i = 0; i < 2; ++i) {
    const NodeId product = terms[i];
    if (!editor.get_if<MatMul>(product) || editor.only_user(product) != root) continue;
    if (editor.node(product).device != editor.node(root).device) continue;
    Node fused = fused_node(context, MatMulAdd{}, {editor.node(product).inputs[0], terms[1 - i]},
                            editor.node(product).weights, product);
    if (!context.accepts(fused)) return false;
    editor.replace_uses(root, editor.insert(std::move(fused), root));
    editor.erase(root);
    editor.erase(product);
    return true;
  }
  return false;
}

}  // namespace minfer
