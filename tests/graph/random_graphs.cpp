#include "graph/random_graphs.h"

#include <fmt/core.h>

#include "graph/builder.h"
#include "graph/test_graphs.h"

namespace minfer::test {
namespace {

class RandomGraph {
 public:
  explicit RandomGraph(std::uint32_t seed) : random_(seed), graph_(kTestModel) {}

  Graph build(int n_nodes) && {
    for (int i = 0; i < 3; ++i)
      values_.push_back(
          graph_.add(Input{InputRole::kOther, {DType::kF32, {32, std::int64_t{1} + i}}}, {}, {}, label()));
    while (static_cast<int>(values_.size()) < n_nodes) values_.push_back(add_node());
    for (int i = below(3); i >= 0; --i) graph_.mark_output(any());
    return std::move(graph_).finish();
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  std::string label() { return fmt::format("node{}", values_.size()); }
  // Mostly a recent value, as in real graphs; sometimes any.
  Value any() {
    const int n = static_cast<int>(values_.size());
    return values_[static_cast<std::size_t>(below(4) ? n - 1 - below(std::min(n, 4)) : below(n))];
  }
  Value with_shape_of(Value x) {
    for (int tries = 0; tries < 8; ++tries)
      if (const Value y = any(); graph_.desc(y) == graph_.desc(x)) return y;
    return x;
  }

  Value add_node() {
    const Value x = any();
    const Shape shape = graph_.desc(x).shape;
    switch (below(8)) {
      case 0:
        return graph_.add(Silu{}, {x}, {}, label());
      case 1:
        return graph_.add(Scale{2}, {x}, {}, label());
      case 2:
        return graph_.add(Add{}, {x, with_shape_of(x)}, {}, label());
      case 3:
        return graph_.add(Mul{}, {x, with_shape_of(x)}, {}, label());
      case 4:
        return graph_.add(Softmax{}, {x}, {}, label());
      case 5: {
        const std::int64_t first = below(static_cast<int>(shape.rows()));
        return graph_.add(View{first, shape.rows() - first}, {x}, {}, label());
      }
      case 6:
        return graph_.add(Reshape{{shape.cols(), shape.rows(), 1}}, {x}, {}, label());
      default: {
        const std::int64_t rows = 32 * (1 + below(3));
        const std::string name = fmt::format("w{}x{}", shape.cols(), rows);
        return graph_.add(MatMul{}, {x}, {graph_.weight(name, {DType::kQ8_0, {shape.cols(), rows}})},
                          label());
      }
    }
  }
  std::mt19937 random_;
  GraphBuilder graph_;
  std::vector<Value> values_;
};

}  // namespace

Graph make_random_graph(std::uint32_t seed, int n_nodes) { return RandomGraph(seed).build(n_nodes); }

}  // namespace minfer::test
