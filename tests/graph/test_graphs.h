// Small graphs for graph tests: a transformer layer built by hand, and chains of elementwise nodes.
#pragma once

#include <string>
#include <vector>

#include "graph/builder.h"

namespace minfer::test {

inline constexpr ModelId kTestModel = 7;

// What a hand-built transformer has. Defaults: one layer as Llama's, with float32 weights.
struct BlockOptions {
  int n_layers = 1;
  std::int64_t n_tokens = 3;
  int n_embd = 64;
  int n_ff = 96;
  int n_head = 4;
  int n_head_kv = 2;
  int head_dim = 16;
  int n_vocab = 160;
  bool qkv_bias = false;        // as Qwen2
  bool qk_norm = false;         // as Qwen3
  DType weights = DType::kF32;  // of the matrices
  DType kv_cell = DType::kF32;
};

// Embedding, layers of attention and feed-forward, final norm and head; the logits of every token are its
// output.
Graph make_transformer(const BlockOptions& options = {});

// Registers every weight of the graph, with `bytes` (float32 weights and test data of other types) or without
// any.
void register_weights(const Graph& graph, Backend& device);

template <class T>
int count(const Graph& graph) {
  int n = 0;
  for (const Node& node : graph.nodes) n += std::holds_alternative<T>(node.op);
  return n;
}

// A KV cache without memory, for devices that touch none.
class NoKv : public KvProvider {
 public:
  KvRegion kv_pair(int) const override { return {}; }
};

// The first node with this label; fails the test where there is none.
NodeId find_node(const Graph& graph, const std::string& label);

}  // namespace minfer::test
