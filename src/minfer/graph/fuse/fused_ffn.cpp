#include "graph/fuse/fused_ffn.h"

namespace minfer {
namespace {

bool is_projection_for(const GraphEditor& editor, NodeId id, NodeId swiglu) {
  return editor.get_if<MatMul>(id) && editor.only_user(id) == swiglu &&
         editor.node(id).device == editor.node(swiglu).device;
}

}  // namespace

bool fuse_ffn(const FuseContext& context, NodeId root) {
  GraphEditor& editor = context.editor;
  if (!editor.get_if<SwiGLU>(root)) return false;
  const NodeId gate = editor.node(root).inputs[0], up = editor.node(root).inputs[1];
  if (!is_projection_for(editor, gate, root) || !is_projection_for(editor, up, root)) return false;
  const NodeId x = editor.node(gate).inputs[0];
  if (editor.node(up).inputs[0] != x) return false;
  Node fused = fused_node(context, FusedFFN{editor.get_if<SwiGLU>(root)->output}, {x},
                          {editor.node(gate).weights[0], editor.node(up).weights[0]}, root);
  if (!context.accepts(fused)) return false;
  editor.replace_uses(root, editor.insert(std::move(fused), root));
  for (NodeId replaced : {root, gate, up}) editor.erase(replaced);
  return true;
}

}  // namespace minfer
