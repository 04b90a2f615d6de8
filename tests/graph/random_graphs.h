// Random graphs of elementwise nodes, products, views and reshapes, for properties that hold for every graph.
#pragma once

#include <random>

#include "graph/graph.h"

namespace minfer::test {

// `n_nodes` nodes over two or three inputs, with one to three outputs. The same seed gives the same graph.
Graph make_random_graph(std::uint32_t seed, int n_nodes);

}  // namespace minfer::test
