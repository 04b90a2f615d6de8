#include "graph/fuse/qkv_block.h"

#include <algorithm>

namespace minfer {
namespace {

// Walks from the end of a chain to its MatMul. `reader` is the node that reads the chain's result.
std::optional<ProjectionChain> match_chain(const GraphEditor& editor, NodeId end, NodeId reader,
                                           bool rotated) {
  ProjectionChain chain;
  NodeId id = end;
  const auto step_over = [&](NodeId& slot) {
    slot = id;
    reader = id;
    id = editor.node(id).inputs[0];
    return editor.only_user(id) == reader;
  };
  if (editor.only_user(id) != reader) return std::nullopt;
  if (rotated && (!editor.get_if<RoPE>(id) || !step_over(chain.rope))) return std::nullopt;
  if (rotated && editor.get_if<QkNorm>(id) && !step_over(chain.norm)) return std::nullopt;
  if (editor.get_if<Add>(id) && editor.node(id).weights.size() == 1 && !step_over(chain.bias))
    return std::nullopt;
  if (!editor.get_if<MatMul>(id)) return std::nullopt;
  chain.matmul = id;
  return chain;
}

bool same_rotation(const GraphEditor& editor, const QkvBlock& block) {
  const Node& q = editor.node(block.q.rope);
  const Node& k = editor.node(block.k.rope);
  return *std::get_if<RoPE>(&q.op) == *std::get_if<RoPE>(&k.op) && q.inputs[1] == k.inputs[1];
}

bool same_norm(const GraphEditor& editor, const QkvBlock& block) {
  const QkNorm* q = editor.get_if<QkNorm>(block.q.norm);
  const QkNorm* k = editor.get_if<QkNorm>(block.k.norm);
  return q && k ? *q == *k : !q && !k;
}

bool same_heads(const GraphEditor& editor, const QkvBlock& block) {
  const int head_dim = editor.get_if<Attn>(block.attn)->kv.head_dim;
  const QkNorm* norm = editor.get_if<QkNorm>(block.q.norm);
  return editor.get_if<RoPE>(block.q.rope)->head_dim == head_dim && (!norm || norm->head_dim == head_dim);
}

bool has_all_or_no_biases(const QkvBlock& block) {
  return (block.q.bias < 0) == (block.k.bias < 0) && (block.q.bias < 0) == (block.v.bias < 0);
}

bool has_one_x_and_device(const GraphEditor& editor, const QkvBlock& block) {
  const Node& q = editor.node(block.q.matmul);
  for (NodeId matmul : {block.k.matmul, block.v.matmul})
    if (editor.node(matmul).inputs[0] != q.inputs[0]) return false;
  return std::ranges::all_of(block.nodes(), [&](NodeId id) { return editor.node(id).device == q.device; });
}

}  // namespace

std::vector<NodeId> QkvBlock::nodes() const {
  std::vector<NodeId> result{store};
  for (const ProjectionChain* chain : {&q, &k, &v})
    for (NodeId id : {chain->rope, chain->norm, chain->bias, chain->matmul})
      if (id >= 0) result.push_back(id);
  return result;
}

std::optional<QkvBlock> match_qkv_block(const GraphEditor& editor, NodeId root) {
  const NodeId attn = editor.get_if<KvStore>(root) ? editor.only_user(root) : -1;
  if (!editor.get_if<Attn>(attn)) return std::nullopt;
  const std::vector<NodeId>& stored = editor.node(root).inputs;
  const auto q = match_chain(editor, editor.node(attn).inputs[0], attn, true);
  const auto k = match_chain(editor, stored[0], root, true);
  const auto v = match_chain(editor, stored[1], root, false);
  if (!q || !k || !v) return std::nullopt;
  const QkvBlock block{*q, *k, *v, root, attn};
  const bool fits = same_rotation(editor, block) && same_norm(editor, block) && same_heads(editor, block) &&
                    has_all_or_no_biases(block) && has_one_x_and_device(editor, block);
  return fits ? std::optional(block) : std::nullopt;
}

}  // namespace minfer
