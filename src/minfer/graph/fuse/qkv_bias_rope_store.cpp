#include "graph/fuse/qkv_bias_rope_store.h"

namespace minfer {
namespace {

QkvBiasRopeStore fused_op(const GraphEditor& editor, const QkvBlock& block) {
  const Attn& attn = *editor.get_if<Attn>(block.attn);
  const RoPE& rope = *editor.get_if<RoPE>(block.q.rope);
  QkvBiasRopeStore op;
  op.kv = attn.kv;
  op.n_head = attn.n_head;
  op.style = rope.style;
  op.n_dims = rope.n_dims;
  op.has_bias = block.q.bias >= 0;
  if (const QkNorm* norm = editor.get_if<QkNorm>(block.q.norm)) {
    op.has_norm = true;
    op.eps = norm->eps;
  }
  return op;
}

}  // namespace

Node make_qkv_bias_rope_store(const FuseContext& context, const QkvBlock& block, NodeId qkv) {
  const GraphEditor& editor = context.editor;
  const NodeId table = editor.node(block.q.rope).inputs[1];
  const NodeId cells = editor.node(block.store).inputs[2];
  std::vector<WeightId> weights;
  for (NodeId reader : {block.q.bias, block.k.bias, block.v.bias, block.q.norm, block.k.norm})
    if (reader >= 0) weights.push_back(editor.node(reader).weights[0]);
  return fused_node(context, fused_op(editor, block), {qkv, table, cells}, std::move(weights), block.store);
}

}  // namespace minfer
