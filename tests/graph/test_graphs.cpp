#include "graph/test_graphs.h"

#include <gtest/gtest.h>

namespace minfer::test {
namespace {

// Adds the nodes of a transformer. Shapes: hidden (n_tokens, n_embd).
class TransformerBuilder {
 public:
  explicit TransformerBuilder(const BlockOptions& options) : o_(options), graph_(kTestModel) {}

  Graph build() && {
    const Value tokens = input(InputRole::kTokens, {o_.n_tokens}, "tokens");
    positions_ = input(InputRole::kPositions, {o_.n_tokens}, "positions");
    cells_ = input(InputRole::kCells, {o_.n_tokens}, "cells");
    slots_ = input(InputRole::kSlots, {o_.n_tokens}, "slots");
    page_table_ = input(InputRole::kPageTable, {2, 1}, "page_table");
    RopeTable rope;
    rope.n_dims = o_.head_dim;
    rope.base = 10000;
    table_ = graph_.add(rope, {positions_}, {}, "rope_table");
    Value x = graph_.add(GetRows{}, {tokens}, {matrix("token_embd", o_.n_embd, o_.n_vocab)}, "embedding");
    for (int layer = 0; layer < o_.n_layers; ++layer) x = add_layer(x, layer);
    x = graph_.add(RmsNorm{1e-6f}, {x}, {vector("output_norm", o_.n_embd)}, "output_norm");
    graph_.mark_output(graph_.add(MatMul{}, {x}, {matrix("output", o_.n_embd, o_.n_vocab)}, "logits"));
    return std::move(graph_).finish();
  }

 private:
  Value input(InputRole role, Shape shape, const std::string& label) {
    return graph_.add(Input{role, {DType::kI32, shape}}, {}, {}, label);
  }
  WeightId matrix(const std::string& name, std::int64_t cols, std::int64_t rows) {
    return graph_.weight(name + ".weight", {o_.weights, {cols, rows}});
  }
  WeightId vector(const std::string& name, std::int64_t n) {
    return graph_.weight(name + ".weight", {DType::kF32, {n}});
  }
  std::string label(int layer, const std::string& name) {
    return "blk." + std::to_string(layer) + "." + name;
  }

  Value project(Value x, int layer, const std::string& name, std::int64_t n_in, std::int64_t n_out) {
    const std::string full = label(layer, name);
    return graph_.add(MatMul{}, {x}, {matrix(full, n_in, n_out)}, full);
  }
  Value norm(Value x, int layer, const std::string& name) {
    const std::string full = label(layer, name);
    return graph_.add(RmsNorm{1e-6f}, {x}, {vector(full, o_.n_embd)}, full);
  }
  Value head_projection(Value x, int layer, const std::string& name, int n_head) {
    const std::string full = label(layer, name);
    const std::int64_t n_out = std::int64_t{n_head} * o_.head_dim;
    x = project(x, layer, name, o_.n_embd, n_out);
    if (o_.qkv_bias)
      x = graph_.add(Add{}, {x}, {graph_.weight(full + ".bias", {DType::kF32, {n_out}})}, full + ".bias");
    return x;
  }
  Value rotate(Value x, int layer, const std::string& name) {
    const std::string full = label(layer, name);
    if (o_.qk_norm)
      x = graph_.add(QkNorm{o_.head_dim, 1e-6f}, {x}, {vector(full + "_norm", o_.head_dim)}, full + "_norm");
    return graph_.add(RoPE{RopeStyle::kNeox, o_.head_dim, o_.head_dim}, {x, table_}, {}, full + ".rope");
  }
  Value attention(Value x, int layer) {
    const KvGeometry kv{layer, o_.n_head_kv, o_.head_dim, o_.kv_cell};
    const Value q = rotate(head_projection(x, layer, "attn_q", o_.n_head), layer, "attn_q");
    const Value k = rotate(head_projection(x, layer, "attn_k", o_.n_head_kv), layer, "attn_k");
    const Value v = head_projection(x, layer, "attn_v", o_.n_head_kv);
    const Value stored = graph_.add(KvStore{kv}, {k, v, cells_}, {}, label(layer, "kv_store"));
    const Value heads = graph_.add(Attn{kv, o_.n_head, 0.25f}, {q, stored, positions_, slots_, page_table_},
                                   {}, label(layer, "attn"));
    return project(heads, layer, "attn_output", std::int64_t{o_.n_head} * o_.head_dim, o_.n_embd);
  }
  Value feed_forward(Value x, int layer) {
    const Value gate = project(x, layer, "ffn_gate", o_.n_embd, o_.n_ff);
    const Value up = project(x, layer, "ffn_up", o_.n_embd, o_.n_ff);
    const Value silu = graph_.add(Silu{}, {gate}, {}, label(layer, "ffn_silu"));
    const Value product = graph_.add(Mul{}, {silu, up}, {}, label(layer, "ffn_mul"));
    return project(product, layer, "ffn_down", o_.n_ff, o_.n_embd);
  }
  Value add_layer(Value x, int layer) {
    x = graph_.add(Add{}, {x, attention(norm(x, layer, "attn_norm"), layer)}, {},
                   label(layer, "attn_residual"));
    return graph_.add(Add{}, {x, feed_forward(norm(x, layer, "ffn_norm"), layer)}, {},
                      label(layer, "ffn_residual"));
  }

  BlockOptions o_;
  GraphBuilder graph_;
  Value positions_, cells_, slots_, page_table_, table_;
};

}  // namespace

Graph make_transformer(const BlockOptions& options) { return TransformerBuilder(options).build(); }

void register_weights(const Graph& graph, Backend& device) {
  for (const WeightRef& weight : graph.weights)
    device.register_weight(graph.model, weight.name, {weight.desc}, 7);
}

NodeId find_node(const Graph& graph, const std::string& label) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].label == label) return static_cast<NodeId>(i);
  ADD_FAILURE() << "no node " << label;
  return 0;
}

}  // namespace minfer::test
