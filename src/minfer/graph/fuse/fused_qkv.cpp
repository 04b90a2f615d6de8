#include "graph/fuse/fused_qkv.h"

#include <algorithm>

#include "graph/fuse/qkv_bias_rope_store.h"
#include "graph/fuse/qkv_block.h"

namespace minfer {
namespace {

Node make_fused_qkv(const FuseContext& context, const QkvBlock& block) {
  const GraphEditor& editor = context.editor;
  const auto weight = [&](const ProjectionChain& chain) { return editor.node(chain.matmul).weights[0]; };
  Node fused = fused_node(context, FusedQKV{}, {editor.node(block.q.matmul).inputs[0]},
                          {weight(block.q), weight(block.k), weight(block.v)}, block.q.matmul);
  fused.label += "kv";  // blk.0.attn_q: blk.0.attn_qkv
  return fused;
}

}  // namespace

bool fuse_qkv(const FuseContext& context, NodeId root) {
  GraphEditor& editor = context.editor;
  const std::optional<QkvBlock> block = match_qkv_block(editor, root);
  if (!block) return false;
  Node projections = make_fused_qkv(context, *block);
  if (!context.accepts(projections)) return false;
  const NodeId first = std::min({block->q.matmul, block->k.matmul, block->v.matmul});
  const NodeId qkv = editor.insert(std::move(projections), first);
  Node rest = make_qkv_bias_rope_store(context, *block, qkv);
  if (!context.accepts(rest)) {
    editor.erase(qkv);
    return false;
  }
  const NodeId queries = editor.insert(std::move(rest), root);
  editor.set_input(block->attn, 0, queries);
  editor.set_input(block->attn, 1, queries);
  for (NodeId replaced : block->nodes()) editor.erase(replaced);
  return true;
}

}  // namespace minfer
