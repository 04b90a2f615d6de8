// Builds a graph node by node, inferring each result's type and shape. A Value is a node of this builder.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "graph/graph.h"

namespace minfer {

struct Value {
  NodeId id = -1;
};

class GraphBuilder {
 public:
  explicit GraphBuilder(ModelId model);

  // A tensor of the model; naming the same one again gives the same id.
  WeightId weight(std::string_view name, const TensorDesc& desc);

  // Appends a node. The label names it in messages, dumps and timings: "blk.3.ffn_gate".
  Value add(Op op, std::initializer_list<Value> inputs, std::initializer_list<WeightId> weights,
            std::string label);

  const TensorDesc& desc(Value value) const;
  void mark_output(Value value);
  Graph finish() &&;

 private:
  Graph graph_;
  std::unordered_map<std::string, WeightId> weight_ids_;
};

}  // namespace minfer
